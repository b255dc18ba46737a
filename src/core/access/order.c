/* SPDX-License-Identifier: BSD-3-Clause
 * See order.h.
 */
#include "core/access/order.h"

#include "boot/boot.h"
#include "core/access/chaos/chaos.h"
#include "core/access/copy/copier.h"
#include "core/access/route.h"
#include "core/pe/job.h"
#include "core/pe/poll.h"

bool sheaf_order_waits = true;
static bool is_there_more = true; /* work than yielding in a crowd; true before initialization */

/* Where this node's enum sheaf_fence_mode is read from. A crowd is a node with more PEs than processors. */
static const uint32_t always_plain = SHEAF_FENCE_PLAIN, *way_here = &always_plain;

void sheaf_order_choose(void)
{
    bool is_crowd = sheaf_poll_counts && sheaf_job.control;
    way_here = is_crowd ? &sheaf_job.control->fence_mode : &always_plain;
    bool is_more = sheaf_network != NULL || sheaf_copier_is_on() || sheaf_chaos_is_on;
    sheaf_store_relaxed(&is_there_more, is_more);
    sheaf_store_relaxed(&sheaf_order_waits, is_more || is_crowd);
}

void sheaf_quiet_of_living(void)
{
    sheaf_far_outlives_deaths = true;
    sheaf_quiet_before_sync();
    sheaf_far_outlives_deaths = false;
}

static void yield_processor(void)
{
    sheaf_route_let_go();
    sheaf_wait_yield();
}

/* A flag that the program stores through a pointer comes by no call: the next fence yields for it.
 * Every fence yields where other threads may be in a call, since the route is held for all of them. */
static __attribute__((noinline)) void count_order(enum sheaf_fence_mode way)
{
    uint64_t *orders = &sheaf_control_pe(sheaf_job.control, sheaf_boot.slot)->orders;
    bool can_hold = sheaf_job.thread_level < SHMEM_THREAD_SERIALIZED;
    sheaf_store_relaxed(orders, sheaf_load_relaxed(orders) + 1);
    if (way == SHEAF_FENCE_YIELDS && (sheaf_route_is_held || !can_hold))
        yield_processor();
    if (way == SHEAF_FENCE_YIELDS && can_hold)
        sheaf_route_hold();
}

/* Returns whether a fence or quiet has more to do than to order this processor's stores. */
static inline bool look_at_way(void)
{
    enum sheaf_fence_mode way = (enum sheaf_fence_mode)sheaf_load_relaxed(way_here);
    if (sheaf_unlikely(way != SHEAF_FENCE_PLAIN))
        count_order(way);
    return sheaf_load_relaxed(&is_there_more);
}

void sheaf_order_written(void)
{
    if (sheaf_unlikely(sheaf_route_is_held))
        yield_processor();
}

void sheaf_order_fence(shmem_ctx_t context)
{
    if (!look_at_way())
        return;
    if (sheaf_chaos_is_on)
        sheaf_chaos_fence(context);
    if (sheaf_copier_is_on())
        sheaf_copier_drain();
    if (sheaf_network)
        sheaf_far_fence(context);
}

void sheaf_order_quiet(shmem_ctx_t context)
{
    if (!look_at_way())
        return;
    if (sheaf_chaos_is_on)
        sheaf_chaos_quiet(context, SHEAF_EVERY_PE);
    if (sheaf_copier_is_on())
        sheaf_copier_drain();
    if (sheaf_network)
        sheaf_far_quiet(context);
}
