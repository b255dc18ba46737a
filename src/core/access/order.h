/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fence and quiet, of the default context and of others. On a node a put is a store, so a fence orders
 * stores and a quiet makes them visible everywhere. The engine does the same for far PEs. Both also wait
 * for the copier's jobs (copier.h) and order deferred operations (chaos.h).
 *
 * A PE that polls its memory by plain loads makes no call, and keeps its processor from the PE that it
 * waits for. Where PEs outnumber processors (a crowd), PEs therefore yield after the first write behind a
 * fence or quiet, since that write is a flag. They do so as long as oshrun finds that more fences and
 * quiets are called so (tools/oshrun/hosts/yield_trial.h).
 */
#ifndef SHEAF_CORE_ACCESS_ORDER_H
#define SHEAF_CORE_ACCESS_ORDER_H

#include "base/atomic.h"
#include "core/access/checked.h"

/* Whether a fence or quiet has more to do than to order this processor's stores: for a network, a
 * copier, chaos or a crowd. It is true before initialization and after finalization, so that the call
 * comes to the code that refuses it. */
extern SHEAF_HIDDEN bool sheaf_order_waits;

/* Called by init.c and engine_start.c after they have started or stopped one of these. */
void sheaf_order_choose(void);

/* Called after a write on the slow path. */
void sheaf_order_written(void);

void sheaf_order_fence(shmem_ctx_t context);
void sheaf_order_quiet(shmem_ctx_t context);

/* Called by the public routine named call, from its own body. The routine notes its name only where it
 * may wait. */
static inline __attribute__((always_inline)) void sheaf_fence_by(const char *call, shmem_ctx_t context)
{
    sheaf_fence_stores();
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_order_waits))) {
        SHEAF_CALL(call);
        sheaf_order_fence(context);
    }
}

static inline __attribute__((always_inline)) void sheaf_quiet_by(const char *call, shmem_ctx_t context)
{
    sheaf_fence_full();
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_order_waits))) {
        SHEAF_CALL(call);
        sheaf_order_quiet(context);
    }
}

/* Called by routines that have noted their name. */
static inline void sheaf_context_quiet(shmem_ctx_t context)
{
    sheaf_fence_full();
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_order_waits)))
        sheaf_order_quiet(context);
}

static inline void sheaf_quiet(void)
{
    sheaf_context_quiet(SHMEM_CTX_DEFAULT);
}

/* Called before sheaf_sync(); together they are a barrier. On a node it has nothing to wait for. The
 * sync signals the other members by a release store or an atomic addition, and no earlier store can
 * become visible after that; one more full fence would cost 5 ns of 150 ns. */
static inline void sheaf_quiet_before_sync(void)
{
    sheaf_fence_stores();
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_order_waits)))
        sheaf_order_quiet(SHMEM_CTX_DEFAULT);
}

/* The same in a call among the live PEs only: operations on dead PEs end, and the call goes on. */
void sheaf_quiet_of_living(void);

#endif
