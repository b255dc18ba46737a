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

static inline void sheaf_quiet(void)
{
    sheaf_fence_full();
}

#endif
