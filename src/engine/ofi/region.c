/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that a port's provider reads and writes: some of them want it registered.
 */
#include "engine/ofi/ofi.h"

#include <stdlib.h>

#define ALIGNMENT 64

/* Where keys are the user's to choose, none is used twice. */
static int register_region(sheaf_transport_port *port, struct sheaf_ofi_region *region, size_t bytes)
{
    struct sheaf_ofi_state *state = &sheaf_ofi_state;
    uint64_t key = __atomic_add_fetch(&state->keys, 1, __ATOMIC_RELAXED);
    int status = fi_mr_reg(state->domain, region->start, bytes, FI_SEND | FI_RECV, 0, key, 0,
                           &region->registration, NULL);
    if (status != 0 || !(state->info->domain_attr->mr_mode & FI_MR_ENDPOINT))
        return status;
    status = fi_mr_bind(region->registration, &port->endpoint->fid, 0);
    return status ? status : fi_mr_enable(region->registration);
}

static void free_region(struct sheaf_ofi_region *region)
{
    if (region->registration)
        fi_close(&region->registration->fid);
    free(region->start);
    free(region);
}

struct sheaf_ofi_region *sheaf_ofi_make_region(sheaf_transport_port *port, size_t bytes)
{
    struct sheaf_ofi_region *region = calloc(1, sizeof *region);
    if (!region)
        return NULL;
    region->start = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (!region->start || (sheaf_ofi_state.registers && register_region(port, region, bytes) != 0)) {
        free_region(region);
        return NULL;
    }
    region->next = port->regions;
    port->regions = region;
    return region;
}

void sheaf_ofi_free_regions(sheaf_transport_port *port)
{
    while (port->regions) {
        struct sheaf_ofi_region *region = port->regions;
        port->regions = region->next;
        free_region(region);
    }
}
