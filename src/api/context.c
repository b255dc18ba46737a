/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communication contexts and their sessions.
 */
#include "api/define.h"

#include "base/os/os.h"
#include "core/memory/check.h"
#include "core/pe/public_extensions.h"

static int create(shmem_team_t team, long options, shmem_ctx_t *ctx, const char *call)
{
    const long known =
        SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE | SHMEMX_CTX_BATCH;
    SHEAF_KEEP_ERRNO;
    struct sheaf_team *members = sheaf_team_find(team, call);
    sheaf_check_thread(call);
    if (options & ~known)
        sheaf_debug("%s: options has unknown bits, which are ignored: 0x%lx", call,
                    (unsigned long)(options & ~known));
    return sheaf_context_create(members, options, ctx);
}

SHEAF_CHAPTER("Communication contexts and sessions")

/* Creates a context over all PEs. options joins SHMEM_CTX_PRIVATE, _SERIALIZED, _NOSTORE and
 * SHMEMX_CTX_BATCH by |, or is 0. Not collective. Returns 0; nonzero, and SHMEM_CTX_INVALID in *ctx, on
 * failure. Specification 1.6: shmem_ctx_create */
SHEAF_ROUTINE(int, shmem_ctx_create, (long options, shmem_ctx_t *ctx), {
    return create(SHMEM_TEAM_WORLD, options, ctx, call);
})

/* The same over a team: PE numbers given with the context count in it. Fails for
 * SHMEM_TEAM_INVALID. Specification 1.6: shmem_team_create_ctx */
SHEAF_ROUTINE(int, shmem_team_create_ctx, (shmem_team_t team, long options, shmem_ctx_t *ctx), {
    return create(team, options, ctx, call);
})

/* Completes a context's operations and frees it. SHMEM_CTX_INVALID does nothing.
 * Specification 1.6: shmem_ctx_destroy */
SHEAF_ROUTINE(void, shmem_ctx_destroy, (shmem_ctx_t ctx), {
    SHEAF_KEEP_ERRNO;
    SHEAF_CALL(call);
    sheaf_context_destroy(ctx, call);
})

/* Sets *team to the team of ctx. Returns 0; nonzero, and SHMEM_TEAM_INVALID, for
 * SHMEM_CTX_INVALID. Specification 1.6: shmem_ctx_get_team */
SHEAF_ROUTINE(int, shmem_ctx_get_team, (shmem_ctx_t ctx, shmem_team_t *team), {
    sheaf_job_require(call);
    return sheaf_team_of_context(ctx, team);
})

/* Says what comes next on ctx: options may be SHMEM_CTX_SESSION_BATCH, with which small operations on PEs
 * of other hosts wait until several travel together; config_mask names the fields of *config that count.
 * A second start adds its options. It never changes completion or ordering.
 * SHMEM_CTX_INVALID does nothing. Specification 1.6: shmem_ctx_session_start */
SHEAF_ROUTINE_1_6(void, ctx_session_start,
                  (shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config,
                   long config_mask), {
    SHEAF_CALL(call);
    if (ctx != SHMEM_CTX_INVALID)
        sheaf_context_require(ctx, call);
    sheaf_session_start(ctx, options, config, config_mask, call);
})

/* Ends the session, and sends what waits; completes nothing. Without a session it does nothing.
 * Specification 1.6: shmem_ctx_session_stop */
SHEAF_ROUTINE_1_6(void, ctx_session_stop, (shmem_ctx_t ctx), {
    SHEAF_CALL(call);
    if (ctx != SHMEM_CTX_INVALID)
        sheaf_context_require(ctx, call);
    sheaf_session_stop(ctx);
})
