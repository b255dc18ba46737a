/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory that a port's provider reads and writes; some providers need it registered.
 */
#include "engine/ofi/ofi.h"

#include <stdlib.h>
#include <sys/random.h>

#define ALIGNMENT 64

/* Number of bounce buffers made at once. */
#define BOUNCES 16

/* Distance from one bounce buffer to the next. */
static size_t bounce_step(void)
{
    return (sizeof(struct sheaf_ofi_bounce) + sheaf_ofi_most() + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Draws to find a free key: at most one key in 2^32 is taken. */
#define DRAWS 4

/* Draws a key where the user chooses keys, with as many bytes as the provider takes. */
static uint64_t draw_key(void)
{
    size_t bytes = sheaf_ofi_state.info->domain_attr->mr_key_size;
    uint64_t key = 0;
    if (getrandom(&key, bytes < sizeof key ? bytes : sizeof key, 0) < 0)
        key = __atomic_add_fetch(&sheaf_ofi_state.keys, 1, __ATOMIC_RELAXED);
    return key;
}

int sheaf_ofi_register(sheaf_transport_port *port, void *start, size_t bytes, uint64_t access,
                       struct fid_mr **registration)
{
    struct sheaf_ofi_state *state = &sheaf_ofi_state;
    int status = -FI_ENOKEY;
    for (int draw = 0; status == -FI_ENOKEY && draw < DRAWS; draw++)
        status = fi_mr_reg(state->domain, start, bytes, access, 0, draw_key(), 0, registration, NULL);
    if (status != 0 || !(state->info->domain_attr->mr_mode & FI_MR_ENDPOINT))
        return status;
    status = fi_mr_bind(*registration, &port->endpoint->fid, 0);
    if (status == 0)
        status = fi_mr_enable(*registration);
    if (status != 0)
        fi_close(&(*registration)->fid);
    return status;
}

static int register_region(sheaf_transport_port *port, struct sheaf_ofi_region *region, size_t bytes)
{
    uint64_t access = FI_SEND | FI_RECV | (sheaf_ofi_state.most ? FI_READ | FI_WRITE : 0);
    int status = sheaf_ofi_register(port, region->start, bytes, access, &region->registration);
    if (status != 0)
        region->registration = NULL;
    return status;
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

int sheaf_ofi_make_bounces(sheaf_transport_port *port)
{
    if (sheaf_ofi_state.has_parts)
        return 0;
    port->bounces_region = sheaf_ofi_make_region(port, BOUNCES * bounce_step());
    char *all = port->bounces_region ? port->bounces_region->start : NULL;
    for (size_t i = 0; all && i < BOUNCES; i++)
        sheaf_ofi_give_bounce(port, (struct sheaf_ofi_bounce *)(void *)(all + i * bounce_step()));
    return all ? 0 : -1;
}

const char *sheaf_ofi_no_memory(void)
{
    return sheaf_ofi_state.registers
               ? "no memory, or none that the provider can register: raise 'ulimit -l' (memory that may be "
                 "locked) where the job is started and in the launcher's daemon (LimitMEMLOCK=infinity)"
               : "no memory";
}

struct sheaf_ofi_bounce *sheaf_ofi_take_bounce(sheaf_transport_port *port)
{
    struct sheaf_ofi_bounce *bounce = port->bounces;
    if (bounce)
        port->bounces = bounce->next;
    return bounce;
}

void sheaf_ofi_give_bounce(sheaf_transport_port *port, struct sheaf_ofi_bounce *bounce)
{
    bounce->next = port->bounces;
    port->bounces = bounce;
}
