/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The UCX transport of a build that had no headers of UCX: it says so.
 */
#include "engine/transport.h"

#include "base/log.h"

static const char reason[] = "not built in: libucx-dev was missing at build time";

static bool is_installed(void)
{
    return false;
}

static int start(const struct sheaf_transport_user *user, struct sheaf_transport_abilities *abilities)
{
    (void)user, (void)abilities;
    sheaf_error("SH503 engine ucx: %s", reason);
    return -1;
}

static bool describe(FILE *out)
{
    fprintf(out, "%s\n", reason);
    return false;
}

static sheaf_amo_set native_atomics(char *why, size_t size)
{
    snprintf(why, size, "%s", reason);
    return 0;
}

/* Nothing but these can be called before a start that succeeds. */
const struct sheaf_transport sheaf_transport_ucx = {
    .name = "ucx", .title = "UCX", .is_installed = is_installed, .start = start,
    .native_atomics = native_atomics, .describe = describe};
