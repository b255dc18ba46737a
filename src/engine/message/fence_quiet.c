/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fence and quiet: both send the batches first; stream/completion.c does the rest.
 */
#include "engine/message/message.h"

/* Data beyond a fragment may pass other data, but not data from before a fence. So deferred puts are sent
 * before the fence is counted: the thread would send them as if they came after it. */
static void count_fence(struct sheaf_msg_worker *worker)
{
    if (sheaf_load_relaxed(&worker->deferred_count)) {
        sheaf_msg_enter(worker);
        sheaf_msg_unlock(worker);
    }
    __atomic_fetch_add(&worker->fences, 1, __ATOMIC_RELAXED);
}

void sheaf_msg_fence(sheaf_engine_context *context)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    if (sheaf_msg_state.longest > SHEAF_TRANSPORT_FRAGMENT)
        count_fence(worker);
    if (!sheaf_msg_orders_kinds())
        return;
    bool is_held = sheaf_msg_has_batches(worker);
    if (is_held)
        sheaf_msg_batch_hold(worker);
    sheaf_msg_enter(worker);
    sheaf_msg_order_kinds(worker);
    sheaf_msg_unlock(worker);
    if (is_held)
        sheaf_msg_batch_let_go(worker);
}

void sheaf_msg_quiet(sheaf_engine_context *context, int pe, size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    struct sheaf_msg_peer *peer = pe == SHEAF_EVERY_PE ? NULL : sheaf_msg_peer_known(worker, pe);
    if (pe != SHEAF_EVERY_PE && !peer)
        return;
    if (peer)
        sheaf_msg_batch_first(worker, pe);
    else if (sheaf_msg_has_batches(worker))
        sheaf_msg_batch_send_all(worker);
    sheaf_msg_enter(worker);
    sheaf_msg_begin_quiet(worker, peer, remaining);
    sheaf_msg_unlock(worker);
}

int sheaf_msg_busy_with(sheaf_engine_context *context)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    sheaf_msg_lock_only(worker);
    int pe = sheaf_msg_first_busy(worker);
    sheaf_msg_unlock(worker);
    return pe;
}
