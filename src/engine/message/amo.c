/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations. As messages the target's processor carries them out, with the same instructions as
 * the PEs of its node use, whatever the network could do. Where the caller asks for it, the network
 * carries them out.
 */
#include "engine/message/message.h"

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
    if (result)
        sheaf_msg_expect_answer(operation, SHEAF_MSG_RESULT, call->bytes);
    else
        sheaf_msg_count_sent(worker, peer);
    sheaf_msg_send_operation(operation, peer->link, SHEAF_MSG_AMO, NULL, 0);
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
    bool has_started, is_gathered = !call->by_network && !(result && remaining);
    if (is_gathered && sheaf_msg_has_batches(worker) &&
        sheaf_msg_batch_amo(worker, pe, call, result, &has_started))
        return has_started;
    if (!is_gathered)
        sheaf_msg_batch_first(worker, pe);
    struct sheaf_msg_peer *peer = sheaf_msg_peer_at(worker, pe);
    sheaf_msg_enter(worker);
    has_started = (call->by_network ? sheaf_msg_native_amo : amo_by_message)(worker, peer, call,
                                                                            result, remaining);
    sheaf_msg_unlock(worker);
    return has_started;
}
