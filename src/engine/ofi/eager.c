/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How long a message may be that libfabric's tcp;ofi_rxm sends at once. Beyond 16 KiB it asks the receiver
 * first, which costs more than sending, for the longest message that there is here too (README.md has
 * figures). The variable that says otherwise is read when an endpoint is opened, by any thread. The
 * environment is the program's, and so are other endpoints, an MPI's say: libfabric has this value from us,
 * within our calls.
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

/* Over tcp alone: a provider with buffers of its own has them by that length. */
void sheaf_ofi_raise_eager_limit(const struct fi_info *info)
{
    static bool is_installed;
    if (is_installed || strcmp(info->fabric_attr->prov_name, "tcp;ofi_rxm") != 0)
        return;
    snprintf(limit, sizeof limit, "%zu", sheaf_ofi_most());
    is_installed = sheaf_hook("/libfabric.so", "getenv", (void *)own_getenv);
}
