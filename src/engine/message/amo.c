/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations. As messages the target's processor carries them out, with the same instructions as
 * the PEs of its node use, whatever the network could do. Where the caller asks for it, the network
 * carries them out.
 */
#include "engine/message/message.h"

/* After so many in a row without a quiet nobody is expected to wait for their ends soon. */
#define COUNTED_FIRST 2
/* Up to so many in a row are no burst, even if the program has not waited since: it may have found its
 * answers without waiting. */
#define MOST_AT_ONCE 4

/* Whether a later message acknowledges this one too, or a quiet asks for it. An acknowledgement is one more
 * message at both ends, which signals to and fro can do without. The messages of a burst are counted while
 * they are under way, so that small operations are aggregated behind them. */
static bool is_acknowledged_later(struct sheaf_msg_peer *peer)
{
    unsigned polls = sheaf_load_relaxed(&sheaf_msg_state.service->polls);
    bool has_waited = polls != peer->polls_before;
    peer->polls_before = polls;
    peer->since_wait = has_waited ? 1 : peer->since_wait + 1;
    peer->since_quiet += peer->since_quiet <= COUNTED_FIRST;
    return peer->since_quiet > COUNTED_FIRST && peer->since_wait <= MOST_AT_ONCE &&
           !sheaf_msg_orders_kinds();
}

static void start_amo(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                      const struct sheaf_amo_call *call, void *result, size_t *remaining)
{
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, peer);
    operation->header.amo = (struct sheaf_msg_amo){
        .operation = result ? operation->handle : 0,
        .address = sheaf_msg_remote(peer, call->object),
        .operand = call->operand,
        .compare = call->compare,
        .code = call->operation,
        .bytes = call->bytes,
    };
    operation->dest = result;
    sheaf_msg_operation_count(operation, remaining);
    bool is_part = !result && is_acknowledged_later(peer);
    if (result)
        sheaf_msg_expect_answer(operation, SHEAF_MSG_RESULT, call->bytes);
    else if (is_part)
        sheaf_msg_count_uncounted(worker, peer);
    else
        sheaf_msg_count_sent(worker, peer);
    sheaf_msg_send_operation(operation, peer->link, is_part ? SHEAF_MSG_AMO_PART : SHEAF_MSG_AMO, NULL, 0);
}

static bool amo_by_message(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                           const struct sheaf_amo_call *call, void *result, size_t *remaining)
{
    bool may_start = sheaf_msg_may_send(worker, peer);
    if (may_start)
        start_amo(worker, peer, call, result, remaining);
    return may_start;
}

bool sheaf_msg_amo(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call,
                   void *result, size_t *remaining)
{
    struct sheaf_msg_worker *worker = sheaf_msg_worker_of(context);
    bool has_started, is_aggregated = !call->by_network && !(result && remaining);
    if (is_aggregated && sheaf_msg_has_batches(worker) &&
        sheaf_msg_batch_amo(worker, pe, call, result, &has_started))
        return has_started;
    if (!is_aggregated)
        sheaf_msg_batch_first(worker, pe);
    struct sheaf_msg_peer *peer = sheaf_msg_peer_at(worker, pe);
    sheaf_msg_enter(worker);
    has_started = (call->by_network ? sheaf_msg_native_amo : amo_by_message)(worker, peer, call,
                                                                            result, remaining);
    sheaf_msg_unlock(worker);
    return has_started;
}
