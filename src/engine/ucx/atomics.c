/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network's own atomic operations, of objects whose every atomic operation is the network's, on
 * this node too. UCX has all of them, but it carries out by the target's processor what an adapter
 * lacks, and then all of them: so what is native is found out first (probe), and the rest is built
 * here from the 64-bit compare-and-swap.
 */
#include "engine/ucx/lanes.h"

#include <stdlib.h>
#include <string.h>

/* UCX prints a worker as lines; one lists the transports that have all the atomic operations asked
 * for: "# atomics: 0:rc_mlx5/mlx5_0:1". */
static bool lists_adapter(char *lines)
{
    char *rest, *list = strstr(lines, "atomics:");
    bool found = false;
    if (!list || !(list = strtok_r(list + strlen("atomics:"), "\n", &rest)))
        return false;
    for (char *name = strtok_r(list, " ,", &rest); name; name = strtok_r(NULL, " ,", &rest)) {
        const char *transport = strchr(name, ':');
        found |= transport && sheaf_ucx_has_adapter(transport + 1);
    }
    return found;
}

static bool has_native(ucp_context_h context)
{
    ucp_worker_params_t params = {.field_mask = 0};
    ucp_worker_h worker;
    char *lines = NULL;
    size_t length;
    if (sheaf_ucx.ucp_worker_create(context, &params, &worker) != UCS_OK)
        return false;
    FILE *stream = open_memstream(&lines, &length);
    if (stream) {
        sheaf_ucx.ucp_worker_print_info(worker, stream);
        fclose(stream);
    }
    sheaf_ucx.ucp_worker_destroy(worker);
    bool found = lines && lists_adapter(lines);
    free(lines);
    return found;
}

static bool can(uint64_t features)
{
    ucp_context_h context;
    if (sheaf_ucx_make_context(features, &context) != UCS_OK)
        return false;
    bool found = has_native(context);
    sheaf_ucx.ucp_cleanup(context);
    return found;
}

sheaf_amo_set sheaf_ucx_probe_atomics(void)
{
    if (can(UCP_FEATURE_RMA | UCP_FEATURE_AMO32 | UCP_FEATURE_AMO64))
        return SHEAF_AMO_ALL;
    return can(UCP_FEATURE_RMA | UCP_FEATURE_AMO64) ? SHEAF_AMO_64 : 0;
}

/* In a job, what it uses; else what there would be. */
sheaf_amo_set sheaf_ucx_native_atomics(char *why, size_t size)
{
    ucp_context_h context;
    char transports[512];
    if (sheaf_ucx_state.service && sheaf_ucx_state.atomics)
        return sheaf_ucx_state.atomics;
    if (sheaf_ucx_load(why, size) != 0)
        return 0;
    ucs_status_t status = sheaf_ucx_make_context(0, &context);
    if (status != UCS_OK) {
        snprintf(why, size, "UCX cannot start: %s", sheaf_ucx.ucs_status_string(status));
        return 0;
    }
    sheaf_ucx_transports(context, transports, sizeof transports);
    bool is_lockable = !sheaf_ucx_has_adapter(transports) || sheaf_ucx_check_lockable(context) == 0;
    sheaf_ucx.ucp_cleanup(context);
    if (!is_lockable) {
        snprintf(why, size, "too little memory may be locked");
        return 0;
    }
    if (!sheaf_ucx_has_adapter(transports)) {
        snprintf(why, size, "no transport has any in hardware (%.300s)", transports);
        return 0;
    }
    sheaf_amo_set found = sheaf_ucx_probe_atomics();
    return found ? found : sheaf_ucx_lanes_probe(transports, why, size);
}

uint64_t sheaf_ucx_atomic_features(sheaf_amo_set native)
{
    return (native & SHEAF_AMO_64 ? UCP_FEATURE_AMO64 : 0) |
           (native & ~SHEAF_AMO_64 ? UCP_FEATURE_AMO32 : 0);
}

/* The operation as the network does it: operand and compare are in the request's memory. */
struct step {
    ucp_atomic_op_t code;
    unsigned bytes;
    void *object;
    uint64_t operand; /* of a compare-and-swap: what is compared; what is stored is in *reply */
    void *reply;      /* NULL where no result is wanted */
};

/* An adapter adds and compares, 64 bits, and returns what was there, wanted or not. */
static void start_on_lane(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                          const struct step *step, size_t *waiter)
{
    struct sheaf_ucx_lane_step lane = {
        .compares = step->code == UCP_ATOMIC_OP_CSWAP,
        .object = step->object,
        .operand = step->operand,
        .result = step->reply,
    };
    if (lane.compares)
        memcpy(&lane.value, step->reply, sizeof lane.value);
    sheaf_ucx_lane_start(worker, peer, &lane, waiter);
}

static void start_step(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                       const struct step *step, size_t *waiter)
{
    if (sheaf_ucx_state.has_lanes) {
        start_on_lane(worker, peer, step, waiter);
        return;
    }
    struct sheaf_ucx_part part = sheaf_ucx_part_of(step->object);
    ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
    ucp_request_param_t param = sheaf_ucx_native_begin(worker, peer, waiter);
    struct sheaf_ucx_operation *operation = param.user_data;
    operation->value = step->operand;
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
    param.datatype = ucp_dt_make_contig(step->bytes);
    if (step->reply) {
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
        param.reply_buffer = step->reply;
    } else if (step->code == UCP_ATOMIC_OP_SWAP) { /* UCX wants a place for what nobody wants */
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
        param.reply_buffer = &operation->reply;
    }
    sheaf_ucx_native_count(worker, peer);
    sheaf_ucx_native_follow(&param, sheaf_ucx.ucp_atomic_op_nbx(
                                        peer->endpoint, step->code, &operation->value, 1,
                                        sheaf_ucx_remote(peer, step->object), key, &param));
}

static bool has(enum sheaf_amo operation, unsigned bytes)
{
    return sheaf_ucx_state.atomics & sheaf_amo_bit(operation, bytes);
}

static const ucp_atomic_op_t codes[SHEAF_AMOS] = {
    [SHEAF_AMO_SET] = UCP_ATOMIC_OP_SWAP,           [SHEAF_AMO_ADD] = UCP_ATOMIC_OP_ADD,
    [SHEAF_AMO_AND] = UCP_ATOMIC_OP_AND,            [SHEAF_AMO_OR] = UCP_ATOMIC_OP_OR,
    [SHEAF_AMO_XOR] = UCP_ATOMIC_OP_XOR,            [SHEAF_AMO_SWAP] = UCP_ATOMIC_OP_SWAP,
    [SHEAF_AMO_COMPARE_SWAP] = UCP_ATOMIC_OP_CSWAP,
};

/* A read is an addition of 0, or a compare-and-swap of 0 and 0. */
static struct step step_of(const struct sheaf_amo_call *call, void *reply)
{
    struct step step = {codes[call->operation], call->bytes, call->object, call->operand, reply};
    uint64_t stored = call->operation == SHEAF_AMO_FETCH ? 0 : call->operand;
    if (call->operation == SHEAF_AMO_FETCH) {
        step.operand = 0;
        step.code = has(SHEAF_AMO_ADD, call->bytes) ? UCP_ATOMIC_OP_ADD : UCP_ATOMIC_OP_CSWAP;
    } else if (call->operation == SHEAF_AMO_COMPARE_SWAP) {
        step.operand = call->compare;
    }
    if (step.code == UCP_ATOMIC_OP_CSWAP && reply) /* as always: nobody compares without looking */
        memcpy(reply, &stored, call->bytes);
    return step;
}

/* Blocking: what word held. */
static uint64_t compare_swap(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                             void *word, uint64_t compare, uint64_t value)
{
    size_t left = 0;
    struct step step = {UCP_ATOMIC_OP_CSWAP, 8, word, compare, &value};
    start_step(worker, peer, &step, &left);
    sheaf_ucx_wait(worker, &left, 0);
    return value;
}

static uint64_t apply(const struct sheaf_amo_call *call, uint64_t held, uint64_t compare)
{
    switch (call->operation) {
    case SHEAF_AMO_FETCH:
        return held;
    case SHEAF_AMO_ADD:
        return held + call->operand;
    case SHEAF_AMO_AND:
        return held & call->operand;
    case SHEAF_AMO_OR:
        return held | call->operand;
    case SHEAF_AMO_XOR:
        return held ^ call->operand;
    case SHEAF_AMO_COMPARE_SWAP:
        return held == compare ? call->operand : held;
    default:
        return call->operand;
    }
}

/* 32 bits are changed within their 64, of which the others must be what they were. Somebody's
 * compare-and-swap always succeeds. Returns what the object held. */
static uint64_t build(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                      const struct sheaf_amo_call *call)
{
    uintptr_t at = (uintptr_t)call->object;
    unsigned shift = call->bytes == 4 ? (unsigned)(at % 8) * 8 : 0;
    uint64_t mask = call->bytes == 4 ? UINT32_MAX : UINT64_MAX;
    void *word = (void *)(at - at % 8);
    uint64_t before = compare_swap(worker, peer, word, 0, 0);
    for (;;) {
        uint64_t held = before >> shift & mask;
        uint64_t changed = apply(call, held, call->compare & mask) & mask;
        uint64_t after = (before & ~(mask << shift)) | changed << shift;
        if (after == before)
            return held;
        uint64_t seen = compare_swap(worker, peer, word, before, after);
        if (seen == before)
            return held;
        before = seen;
    }
}

static bool is_built(const struct sheaf_amo_call *call)
{
    return sheaf_amo_way(sheaf_ucx_state.atomics, call->operation, call->bytes) == SHEAF_AMO_BUILT;
}

static void fetch(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                  const struct sheaf_amo_call *call, void *result, size_t *waiter)
{
    if (is_built(call)) {
        uint64_t held = build(worker, peer, call);
        memcpy(result, &held, call->bytes);
        return;
    }
    struct step step = step_of(call, result);
    start_step(worker, peer, &step, waiter);
}

void sheaf_ucx_device_amo(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    sheaf_ucx_batch_first(worker, pe);
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    sheaf_ucx_lock(worker);
    if (is_built(call)) {
        build(worker, peer, call);
    } else {
        struct step step = step_of(call, NULL);
        start_step(worker, peer, &step, NULL);
    }
    sheaf_ucx_unlock(worker);
}

void sheaf_ucx_device_fetch(sheaf_engine_context *context, int pe,
                            const struct sheaf_amo_call *call, void *result)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    sheaf_ucx_batch_first(worker, pe);
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    size_t left = 0;
    sheaf_ucx_lock(worker);
    fetch(worker, peer, call, result, &left);
    sheaf_ucx_wait(worker, &left, 0);
    sheaf_ucx_unlock(worker);
}

void sheaf_ucx_device_fetch_nbi(sheaf_engine_context *context, int pe,
                                const struct sheaf_amo_call *call, void *result)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    sheaf_ucx_batch_first(worker, pe);
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    sheaf_ucx_lock(worker);
    fetch(worker, peer, call, result, NULL);
    sheaf_ucx_unlock(worker);
}
