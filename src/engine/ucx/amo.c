/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations: messages that the target's processor carries out with the same instructions as
 * the PEs of its node use, whatever the network could do by itself.
 */
#include "engine/ucx/ucx.h"

static struct sheaf_ucx_amo request(const struct sheaf_ucx_peer *peer,
                                    const struct sheaf_amo_call *call, uint64_t operation)
{
    return (struct sheaf_ucx_amo){
        .operation = operation,
        .address = sheaf_ucx_remote(peer, call->object),
        .operand = call->operand,
        .compare = call->compare,
        .code = call->operation,
        .bytes = call->bytes,
    };
}

void sheaf_ucx_amo(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (sheaf_ucx_is_batching(worker) && sheaf_ucx_batch_amo(worker, pe, call))
        return;
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    struct sheaf_ucx_amo header = request(peer, call, 0);
    sheaf_ucx_lock(worker);
    sheaf_ucx_count_sent(worker, peer);
    sheaf_ucx_send_wait(worker, peer, SHEAF_UCX_AMO, &header, NULL, 0);
    sheaf_ucx_unlock(worker);
}

static void start_fetch(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                        const struct sheaf_amo_call *call, void *result, size_t *waiter)
{
    sheaf_ucx_hold_back(worker);
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    operation->header.amo = request(peer, call, operation->handle);
    operation->dest = result;
    operation->waiter = waiter;
    sheaf_ucx_expect_answer(operation, SHEAF_UCX_RESULT, call->bytes);
    sheaf_ucx_send_operation(operation, peer->endpoint, SHEAF_UCX_AMO, NULL, 0);
}

void sheaf_ucx_amo_fetch(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call,
                         void *result)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    sheaf_ucx_batch_first(worker, pe);
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    size_t left = 1;
    sheaf_ucx_lock(worker);
    start_fetch(worker, peer, call, result, &left);
    sheaf_ucx_wait(worker, &left, 0);
    sheaf_ucx_unlock(worker);
}

void sheaf_ucx_amo_fetch_nbi(sheaf_engine_context *context, int pe,
                             const struct sheaf_amo_call *call, void *result)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (sheaf_ucx_is_batching(worker) && sheaf_ucx_batch_fetch(worker, pe, call, result))
        return;
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    sheaf_ucx_lock(worker);
    start_fetch(worker, peer, call, result, NULL);
    sheaf_ucx_unlock(worker);
}
