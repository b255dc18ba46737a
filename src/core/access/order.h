/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fence and quiet, of the default context and of others. On a node a put is a store, so a fence orders
 * stores and a quiet makes them visible everywhere; the engine does the same for far PEs, and what was
 * left to the copier (copier.h) is waited for, as what SHEAF_CHAOS holds back (chaos.h).
 *
 * A PE that polls its memory by plain loads makes no call, and keeps its processor from the PE that it
 * waits for. Where PEs outnumber processors, they therefore yield behind the first write after a fence or
 * quiet, which is a flag, as long as oshrun finds that more is ordered so
 * (tools/oshrun/hosts/yield_trial.h).
 */
#ifndef SHEAF_CORE_ACCESS_ORDER_H
#define SHEAF_CORE_ACCESS_ORDER_H

#include "base/atomic.h"
#include "core/access/checked.h"

/* Whether there is more to do than to order this processor's stores: a network, a copier, chaos or a
 * crowd. Before initialization and after finalization it is true, so that a fence or quiet comes to where
 * it is refused. */
extern SHEAF_HIDDEN bool sheaf_order_waits;

/* By init.c and engine_start.c, which have started or stopped one. */
void sheaf_order_choose(void);

/* Behind a write that went the slow way. */
void sheaf_order_written(void);

void sheaf_order_fence(shmem_ctx_t context);
void sheaf_order_quiet(shmem_ctx_t context);

/* By the public routine call, from its own body: the routine names itself only where there is something
 * to wait for. */
static inline __attribute__((always_inline)) void sheaf_fence_by(const char *call, shmem_ctx_t context)
{
    sheaf_fence_stores();
    if (sheaf_unlikely(sheaf_order_waits)) {
        SHEAF_CALL(call);
        sheaf_order_fence(context);
    }
}

static inline __attribute__((always_inline)) void sheaf_quiet_by(const char *call, shmem_ctx_t context)
{
    sheaf_fence_full();
    if (sheaf_unlikely(sheaf_order_waits)) {
        SHEAF_CALL(call);
        sheaf_order_quiet(context);
    }
}

/* By routines that have said so. */
static inline void sheaf_context_fence(shmem_ctx_t context)
{
    sheaf_fence_stores();
    if (sheaf_unlikely(sheaf_order_waits))
        sheaf_order_fence(context);
}

static inline void sheaf_fence(void)
{
    sheaf_context_fence(SHMEM_CTX_DEFAULT);
}

static inline void sheaf_context_quiet(shmem_ctx_t context)
{
    sheaf_fence_full();
    if (sheaf_unlikely(sheaf_order_waits))
        sheaf_order_quiet(context);
}

static inline void sheaf_quiet(void)
{
    sheaf_context_quiet(SHMEM_CTX_DEFAULT);
}

/* Before sheaf_sync(), which it makes a barrier of: nothing on a node. The sync tells the others with a
 * release store or an atomic addition, behind which no earlier store can fall; one more full fence would
 * cost 5 ns of 150. */
static inline void sheaf_quiet_before_sync(void)
{
    sheaf_fence_stores();
    if (sheaf_unlikely(sheaf_order_waits))
        sheaf_order_quiet(SHMEM_CTX_DEFAULT);
}

/* The same in a call that the living make among themselves: what was under way to the dead ends, and
 * the call goes on. */
void sheaf_quiet_of_living(void);

#endif
