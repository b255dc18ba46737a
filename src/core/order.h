/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fence and quiet. On a node a put is a store, so a fence orders stores and a quiet makes them
 * visible everywhere; there is nothing else to wait for.
 */
#ifndef SHEAF_CORE_ORDER_H
#define SHEAF_CORE_ORDER_H

#include "base/atomic.h"

static inline void sheaf_fence(void)
{
    sheaf_fence_stores();
}

/* What must come before sheaf_sync() makes a barrier of it: nothing on a node. The sync tells the
 * others with a release store or an atomic addition, behind which no earlier store can fall; one
 * more full fence would cost 5 ns of 150. */
static inline void sheaf_quiet_before_sync(void)
{
    sheaf_fence_stores();
}

static inline void sheaf_quiet(void)
{
    sheaf_fence_full();
}

#endif
