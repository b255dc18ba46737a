/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The UCX transport of a build without headers of UCX: it reports that.
 */
#include "engine/transport.h"

#include "base/log.h"

static const char reason[] = "not built in: libucx-dev was missing at build time";

static bool ucx_is_installed(void)
{
    return false;
}

static int ucx_start(const struct sheaf_transport_user *user,
                     struct sheaf_transport_abilities *abilities)
{
    (void)user, (void)abilities;
    sheaf_error("SH503 engine ucx: %s", reason);
    return -1;
}

static bool ucx_describe(FILE *out)
{
    fprintf(out, "%s\n", reason);
    return false;
}

static sheaf_amo_set ucx_native_atomics(char *why, size_t size)
{
    snprintf(why, size, "%s", reason);
    return 0;
}

/* Only these can be called before a successful start. */
const struct sheaf_transport sheaf_transport_ucx = {
    .name = "ucx", .title = "UCX", .is_installed = ucx_is_installed, .start = ucx_start,
    .native_atomics = ucx_native_atomics, .describe = ucx_describe};
