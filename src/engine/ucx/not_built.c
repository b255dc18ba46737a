/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The UCX engine of a build that had no headers of UCX: it says so.
 */
#include "engine/engine.h"

#include "base/log.h"

static const char reason[] = "not built in: libucx-dev was missing at build time";

static int start(const struct sheaf_engine_job *job)
{
    (void)job;
    sheaf_error("engine ucx: %s", reason);
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
const struct sheaf_engine sheaf_engine_ucx = {
    .name = "ucx", .start = start, .native_atomics = native_atomics, .describe = describe};
