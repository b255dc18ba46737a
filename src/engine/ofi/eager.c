/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The longest message that libfabric's tcp;ofi_rxm sends at once. Beyond 16 KiB it asks the receiver
 * first by default, which costs more than sending even the longest message (docs/understand/engines.md
 * has figures). It reads the variable for this limit when an endpoint is opened, by any thread. The
 * environment belongs to the program, and other endpoints may be an MPI's. So libfabric gets this value
 * from a getenv() of ours, within our calls.
 */
#include "engine/ofi/ofi.h"

#include "base/os/hook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "FI_OFI_RXM_EAGER_LIMIT"

static char limit[24];

static char *own_getenv(const char *name)
{
    char *value = getenv(name);
    return !value && sheaf_ofi_is_inside && strcmp(name, VARIABLE) == 0 ? limit : value;
}

/* Only over tcp: other providers allocate buffers of that length. */
void sheaf_ofi_raise_eager_limit(const struct fi_info *info)
{
    static bool is_installed;
    if (is_installed || strcmp(info->fabric_attr->prov_name, "tcp;ofi_rxm") != 0)
        return;
    snprintf(limit, sizeof limit, "%zu", sheaf_ofi_most());
    is_installed = sheaf_hook("/libfabric.so", "getenv", (void *)own_getenv);
}
