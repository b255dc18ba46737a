/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A context per way.
 */
#include "way.h"

shmem_ctx_t way_open(int way)
{
    shmem_ctx_t ctx;
    if (way == WAY_PLAIN || shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0)
        ctx = SHMEM_CTX_DEFAULT;
#ifdef SHMEM_CTX_SESSION_BATCH
    if (way == WAY_SESSION)
        shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, NULL, 0);
#endif
    return ctx;
}

void way_close(int way, shmem_ctx_t ctx)
{
    shmem_ctx_quiet(ctx);
#ifdef SHMEM_CTX_SESSION_BATCH
    if (way == WAY_SESSION)
        shmem_ctx_session_stop(ctx);
#endif
    (void)way;
    if (ctx != SHMEM_CTX_DEFAULT)
        shmem_ctx_destroy(ctx);
}
