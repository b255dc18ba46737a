/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The network's own atomic operations, of objects whose every atomic operation is the network's, on
 * this node too. UCX has all of them, but it carries out by the target's processor what an adapter
 * lacks, and then all of them: so what is native is found out first (probe).
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
static bool start_on_lane(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                          const struct step *step, size_t *left)
{
    struct sheaf_ucx_lane_step lane = {
        .compares = step->code == UCP_ATOMIC_OP_CSWAP,
        .object = step->object,
        .operand = step->operand,
        .result = step->reply,
    };
    if (lane.compares)
        memcpy(&lane.value, step->reply, sizeof lane.value);
    return sheaf_ucx_lane_start(worker, peer, &lane, left);
}

/* UCX wants a place for what a swap finds, which nobody may want. */
static void *reply_place(const struct step *step, struct sheaf_ucx_operation *operation)
{
    if (!step->reply && step->code == UCP_ATOMIC_OP_SWAP)
        return &operation->reply;
    return step->reply;
}

static bool start_step(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                       const struct step *step, size_t *left)
{
    struct sheaf_ucx_part part = sheaf_ucx_part_of(step->object);
    ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
    if (!key)
        return false;
    ucp_request_param_t param = sheaf_ucx_native_begin(worker, peer, left);
    struct sheaf_ucx_operation *operation = param.user_data;
    operation->value = step->operand;
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
    param.datatype = ucp_dt_make_contig(step->bytes);
    if ((param.reply_buffer = reply_place(step, operation)) != NULL)
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
    sheaf_ucx_count_native(worker, peer);
    sheaf_ucx_native_follow(&param, sheaf_ucx.ucp_atomic_op_nbx(
                                        peer->endpoint, step->code, &operation->value, 1,
                                        sheaf_ucx_remote(peer, step->object), key, &param));
    return true;
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

bool sheaf_ucx_native_amo(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                          const struct sheaf_amo_call *call, void *result, size_t *left)
{
    struct step step = step_of(call, result);
    if (!sheaf_ucx_may_go_native(worker, peer))
        return false;
    return (sheaf_ucx_state.has_lanes ? start_on_lane : start_step)(worker, peer, &step, left);
}
