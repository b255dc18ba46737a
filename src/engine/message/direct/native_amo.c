/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network's own atomic operations, of objects whose every atomic operation is the network's, on
 * this node too: the transport's, or past it those of the adapter.
 */
#include "engine/message/direct/lanes.h"

#include <stdlib.h>
#include <string.h>

/* The operation as the network does it: operand and compare are in the request's memory. */
struct step {
    enum sheaf_amo code;
    unsigned bytes;
    void *object;
    uint64_t operand; /* of a compare-and-swap: what is compared; what is stored is in *reply */
    void *reply;      /* NULL where no result is wanted */
};

/* An adapter adds and compares, 64 bits, and returns what was there, wanted or not. */
static bool start_on_lane(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                          const struct step *step, size_t *left)
{
    struct sheaf_msg_lane_step lane = {
        .compares = step->code == SHEAF_AMO_COMPARE_SWAP,
        .object = step->object,
        .operand = step->operand,
        .result = step->reply,
    };
    if (lane.compares)
        memcpy(&lane.value, step->reply, sizeof lane.value);
    return sheaf_msg_lane_start(worker, peer, &lane, left);
}

/* What a swap finds has a place always, although nobody may want it. */
static void *reply_place(const struct step *step, struct sheaf_msg_operation *operation)
{
    if (!step->reply && step->code == SHEAF_AMO_SWAP)
        return &operation->reply;
    return step->reply;
}

static bool start_step(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                       const struct step *step, size_t *left)
{
    struct sheaf_msg_part part = sheaf_msg_part_of(step->object);
    sheaf_transport_key *key = sheaf_msg_key_of(worker, peer, &part);
    if (!key)
        return false;
    struct sheaf_msg_operation *operation = sheaf_msg_native_begin(worker, peer, left);
    const struct sheaf_transport_atomic atomic = {
        .operation = step->code,
        .bytes = step->bytes,
        .remote = sheaf_msg_remote(peer, step->object),
        .operand = &operation->value,
        .reply = reply_place(step, operation),
    };
    operation->value = step->operand;
    sheaf_msg_count_native(worker, peer);
    sheaf_msg_direct()->atomic(peer->link, key, &atomic, operation);
    return true;
}

static bool has(enum sheaf_amo operation, unsigned bytes)
{
    return sheaf_msg_state.atomics & sheaf_amo_bit(operation, bytes);
}

/* A read is an addition of 0, or a compare-and-swap of 0 and 0. */
static struct step step_of(const struct sheaf_amo_call *call, void *reply)
{
    struct step step = {call->operation, call->bytes, call->object, call->operand, reply};
    uint64_t stored = call->operation == SHEAF_AMO_FETCH ? 0 : call->operand;
    if (call->operation == SHEAF_AMO_FETCH) {
        step.operand = 0;
        step.code = has(SHEAF_AMO_ADD, call->bytes) ? SHEAF_AMO_ADD : SHEAF_AMO_COMPARE_SWAP;
    } else if (call->operation == SHEAF_AMO_SET) {
        step.code = SHEAF_AMO_SWAP;
    } else if (call->operation == SHEAF_AMO_COMPARE_SWAP) {
        step.operand = call->compare;
    }
    if (step.code == SHEAF_AMO_COMPARE_SWAP && reply) /* as always: nobody compares without looking */
        memcpy(reply, &stored, call->bytes);
    return step;
}

bool sheaf_msg_native_amo(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                          const struct sheaf_amo_call *call, void *result, size_t *left)
{
    struct step step = step_of(call, result);
    if (!sheaf_msg_may_go_native(worker, peer))
        return false;
    return (sheaf_msg_state.has_lanes ? start_on_lane : start_step)(worker, peer, &step, left);
}
