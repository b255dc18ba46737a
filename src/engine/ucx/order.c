/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Order and completion. What goes to a peer arrives in order and is carried out in order; each peer
 * says how much it has carried out. So among messages a fence is there already, and quiet waits for
 * counts. What the network does by itself is ordered by UCX's fence and complete after a flush;
 * between the two kinds a fence makes the second wait for the first.
 */
#include "engine/ucx/ucx.h"

bool sheaf_ucx_is_idle(const struct sheaf_ucx_peer *peer)
{
    return peer->sent == peer->acknowledged && peer->asked == peer->answered &&
           peer->native == peer->flushed && sheaf_ucx_lane_is_idle(peer);
}

/* Nobody waits here: only where the other kind follows is there something to wait for. UCX's fence
 * does not hold between puts and atomic operations where these take another way (UCX 1.13, seen with
 * those that it imitates): they count as two kinds. */
void sheaf_ucx_fence(sheaf_engine_context *context)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    bool any = false;
    if (!sheaf_ucx_state.has_keys && !sheaf_ucx_state.has_lanes)
        return;
    bool is_held = sheaf_ucx_is_batching(worker);
    if (is_held)
        sheaf_ucx_batch_hold(worker);
    sheaf_ucx_lock(worker);
    for (struct sheaf_ucx_peer *peer = worker->dirty; peer; peer = peer->next_dirty) {
        peer->flush_first |= peer->native != peer->flushed || !sheaf_ucx_lane_is_idle(peer);
        peer->answer_first |= peer->sent != peer->acknowledged || peer->asked != peer->answered;
        peer->native_first |= sheaf_ucx_state.atomics && peer->flush_first;
        any |= peer->flush_first;
    }
    if (any)
        sheaf_ucx.ucp_worker_fence(worker->ucp);
    sheaf_ucx_unlock(worker);
    if (is_held)
        sheaf_ucx_batch_let_go(worker);
}

static void on_flushed(void *request, ucs_status_t status, void *argument)
{
    struct sheaf_ucx_operation *operation = argument;
    struct sheaf_ucx_peer *peer = operation->peer;
    if (status != UCS_OK)
        sheaf_ucx_failed(peer->pe, "flush", status);
    if (operation->value > peer->flushed)
        peer->flushed = operation->value;
    if (request)
        sheaf_ucx.ucp_request_free(request);
    sheaf_ucx_operation_advance(operation, 1);
}

/* Of what no flush before reaches. */
static void start_flush(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer)
{
    if (peer->flushing == peer->native)
        return;
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = on_flushed,
        .user_data = operation,
    };
    operation->value = peer->flushing = peer->native;
    ucs_status_ptr_t request = sheaf_ucx.ucp_ep_flush_nbx(peer->endpoint, &param);
    if (!UCS_PTR_IS_PTR(request))
        on_flushed(NULL, UCS_PTR_STATUS(request), operation);
}

void sheaf_ucx_flush_first(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer)
{
    uint64_t native = peer->native, lane = peer->lane_started;
    struct sheaf_pace_wait wait = {0};
    start_flush(worker, peer);
    while (peer->flushed < native || sheaf_load_acquire(&peer->lane_ended) < lane)
        sheaf_ucx_wait_turn(worker, &wait);
    peer->flush_first = peer->native_first = false;
}

void sheaf_ucx_answer_first(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer)
{
    uint64_t sent = peer->sent, asked = peer->asked;
    struct sheaf_pace_wait wait = {0};
    while (peer->acknowledged < sent || peer->answered < asked)
        sheaf_ucx_wait_turn(worker, &wait);
    peer->answer_first = false;
}

/* Until what was issued by now is complete: other threads may go on issuing. */
static void wait_for_peer(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer)
{
    uint64_t sent = peer->sent, asked = peer->asked, native = peer->native;
    uint64_t lane = peer->lane_started;
    struct sheaf_pace_wait wait = {0};
    start_flush(worker, peer);
    while (peer->acknowledged < sent || peer->answered < asked || peer->flushed < native ||
           sheaf_load_acquire(&peer->lane_ended) < lane)
        sheaf_ucx_wait_turn(worker, &wait);
}

static void drop_idle_peers(struct sheaf_ucx_worker *worker)
{
    struct sheaf_ucx_peer **place = &worker->dirty;
    while (*place) {
        struct sheaf_ucx_peer *peer = *place;
        if (sheaf_ucx_is_idle(peer)) {
            peer->is_dirty = false;
            peer->flush_first = peer->native_first = peer->answer_first = false;
            *place = peer->next_dirty;
        } else {
            place = &peer->next_dirty;
        }
    }
}

/* While one thread waits another may take idle peers off the list; what such a peer is linked to
 * stays, so the walk still meets all that were on the list when it began. */
void sheaf_ucx_quiet(sheaf_engine_context *context)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (sheaf_ucx_is_batching(worker))
        sheaf_ucx_batch_send_all(worker);
    sheaf_ucx_lock(worker);
    for (struct sheaf_ucx_peer *peer = worker->dirty; peer; peer = peer->next_dirty)
        start_flush(worker, peer);
    for (struct sheaf_ucx_peer *peer = worker->dirty; peer; peer = peer->next_dirty)
        wait_for_peer(worker, peer);
    drop_idle_peers(worker);
    sheaf_ucx_unlock(worker);
}

void sheaf_ucx_quiet_pe(sheaf_engine_context *context, int pe)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_known(worker, pe);
    if (!peer)
        return;
    sheaf_ucx_batch_first(worker, pe);
    sheaf_ucx_lock(worker);
    wait_for_peer(worker, peer);
    sheaf_ucx_unlock(worker);
}
