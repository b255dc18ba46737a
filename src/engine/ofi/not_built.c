/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The libfabric transport of a build without headers of libfabric: it reports that.
 */
#include "engine/transport.h"

#include "base/log.h"

static const char reason[] = "not built in: libfabric-dev was missing at build time";

static bool ofi_is_installed(void)
{
    return false;
}

static int ofi_start(const struct sheaf_transport_user *user,
                     struct sheaf_transport_abilities *abilities)
{
    (void)user, (void)abilities;
    sheaf_error("SH503 engine ofi: %s", reason);
    return -1;
}

static bool ofi_describe(FILE *out)
{
    fprintf(out, "%s\n", reason);
    return false;
}

static sheaf_amo_set ofi_native_atomics(char *why, size_t size)
{
    snprintf(why, size, "%s", reason);
    return 0;
}

/* Only these can be called before a successful start. */
const struct sheaf_transport sheaf_transport_ofi = {.name = "ofi",
                                                    .title = "libfabric",
                                                    .is_installed = ofi_is_installed,
                                                    .start = ofi_start,
                                                    .native_atomics = ofi_native_atomics,
                                                    .describe = ofi_describe};
