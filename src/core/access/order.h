/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fence and quiet, of the default context and of others. On a node a put is a store, so a fence
 * orders stores and a quiet makes them visible everywhere; the engine does the same for far PEs.
 */
#ifndef SHEAF_CORE_ACCESS_ORDER_H
#define SHEAF_CORE_ACCESS_ORDER_H

#include "base/atomic.h"
#include "core/access/checked.h"

/* By the public routine call, from its own body: the routine names itself only where there is something
 * to wait for. */
static inline __attribute__((always_inline)) void sheaf_fence_by(const char *call, shmem_ctx_t context)
{
    sheaf_fence_stores();
    if (sheaf_unlikely(sheaf_network != NULL)) {
        SHEAF_CALL(call);
        sheaf_far_fence(context);
    }
}

static inline __attribute__((always_inline)) void sheaf_quiet_by(const char *call, shmem_ctx_t context)
{
    sheaf_fence_full();
    if (sheaf_unlikely(sheaf_network != NULL)) {
        SHEAF_CALL(call);
        sheaf_far_quiet(context);
    }
}

/* By routines that have said so. */
static inline void sheaf_context_fence(shmem_ctx_t context)
{
    sheaf_fence_stores();
    if (sheaf_unlikely(sheaf_network != NULL))
        sheaf_far_fence(context);
}

static inline void sheaf_fence(void)
{
    sheaf_context_fence(SHMEM_CTX_DEFAULT);
}

static inline void sheaf_context_quiet(shmem_ctx_t context)
{
    sheaf_fence_full();
    if (sheaf_unlikely(sheaf_network != NULL))
        sheaf_far_quiet(context);
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
    if (sheaf_unlikely(sheaf_network != NULL))
        sheaf_far_quiet(SHMEM_CTX_DEFAULT);
}

#endif
