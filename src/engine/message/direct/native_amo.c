/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network's own atomic operations, for objects that all PEs, those of this node too, access by the
 * network alone: the transport's operations, or the adapter's past it.
 */
#include "engine/message/direct/lanes.h"

#include <stdlib.h>
#include <string.h>

/* The operation as the network carries it out. */
struct step {
    enum sheaf_amo code;
    unsigned bytes;
    void *object;
    uint64_t operand; /* of a compare-and-swap: the value compared with; *reply holds the value to store */
    void *reply;      /* NULL: no result is wanted */
};

/* An adapter adds and compares 64 bits, and always returns the previous value. */
static bool start_on_lane(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                          const struct step *step, size_t *remaining)
{
    struct sheaf_msg_lane_step lane = {
        .compares = step->code == SHEAF_AMO_COMPARE_SWAP,
        .object = step->object,
        .operand = step->operand,
        .result = step->reply,
    };
    if (lane.compares)
        memcpy(&lane.value, step->reply, sizeof lane.value);
    return sheaf_msg_lane_start(worker, peer, &lane, remaining);
}

/* A swap always has a destination for its result, although it may not be wanted. */
static void *reply_destination(const struct step *step, struct sheaf_msg_operation *operation)
{
    if (!step->reply && step->code == SHEAF_AMO_SWAP)
        return &operation->reply;
    return step->reply;
}

static bool start_step(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                       const struct step *step, size_t *remaining)
{
    struct sheaf_msg_part part = sheaf_msg_part_of(step->object);
    sheaf_transport_key *key = sheaf_msg_key_of(worker, peer, &part);
    if (!key)
        return false;
    struct sheaf_msg_operation *operation = sheaf_msg_native_begin(worker, peer, remaining);
    const struct sheaf_transport_atomic atomic = {
        .operation = step->code,
        .bytes = step->bytes,
        .remote = sheaf_msg_remote(peer, step->object),
        .operand = &operation->value,
        .reply = reply_destination(step, operation),
    };
    operation->value = step->operand;
    sheaf_msg_count_native(worker, peer);
    sheaf_msg_direct()->atomic(peer->link, key, &atomic, operation);
    return true;
}

static bool has_native(enum sheaf_amo operation, unsigned bytes)
{
    return sheaf_msg_state.atomics & sheaf_amo_bit(operation, bytes);
}

/* A read becomes an addition of 0, or a compare-and-swap of 0 and 0. */
static struct step step_of(const struct sheaf_amo_call *call, void *reply)
{
    struct step step = {call->operation, call->bytes, call->object, call->operand, reply};
    uint64_t stored = call->operation == SHEAF_AMO_FETCH ? 0 : call->operand;
    if (call->operation == SHEAF_AMO_FETCH) {
        step.operand = 0;
        step.code = has_native(SHEAF_AMO_ADD, call->bytes) ? SHEAF_AMO_ADD : SHEAF_AMO_COMPARE_SWAP;
    } else if (call->operation == SHEAF_AMO_SET) {
        step.code = SHEAF_AMO_SWAP;
    } else if (call->operation == SHEAF_AMO_COMPARE_SWAP) {
        step.operand = call->compare;
    }
    if (step.code == SHEAF_AMO_COMPARE_SWAP && reply) /* a compare-and-swap always has a reply */
        memcpy(reply, &stored, call->bytes);
    return step;
}

bool sheaf_msg_native_amo(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                          const struct sheaf_amo_call *call, void *result, size_t *remaining)
{
    struct step step = step_of(call, result);
    if (!sheaf_msg_may_go_native(worker, peer))
        return false;
    return (sheaf_msg_state.has_lanes ? start_on_lane : start_step)(worker, peer, &step, remaining);
}
