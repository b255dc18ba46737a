/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts and gets that the network carries out by itself, without the target's processor. Which
 * transports can is told by their names: UCX imitates puts and gets where they cannot, and has no
 * call that says so.
 */
#include "engine/ucx/ucx.h"

#include <string.h>

/* Adapters with remote direct memory access between hosts, as UCX names their transports. Not ud_*:
 * datagrams have none. */
static const char *const adapters[] = {"rc_", "dc_", "ugni_rdma"};

static bool is_adapter(const char *transport)
{
    for (size_t i = 0; i < sizeof adapters / sizeof adapters[0]; i++)
        if (strncmp(transport, adapters[i], strlen(adapters[i])) == 0)
            return true;
    return false;
}

/* transports: "rc_verbs/mlx5_0:1, tcp/eth0". */
bool sheaf_ucx_has_adapter(const char *transports)
{
    while (transports) {
        if (is_adapter(transports))
            return true;
        transports = strstr(transports, ", ");
        transports = transports ? transports + 2 : NULL;
    }
    return false;
}

static void on_done(void *request, ucs_status_t status, void *argument)
{
    struct sheaf_ucx_operation *operation = argument;
    if (status != UCS_OK)
        sheaf_ucx_failed(operation->peer->pe, "put, get or atomic operation", status);
    if (request)
        sheaf_ucx.ucp_request_free(request);
    sheaf_ucx_operation_advance(operation, 1);
}

ucp_request_param_t sheaf_ucx_native_begin(struct sheaf_ucx_worker *worker,
                                           struct sheaf_ucx_peer *peer, size_t *left)
{
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    sheaf_ucx_operation_count(operation, left);
    return (ucp_request_param_t){
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = on_done,
        .user_data = operation,
    };
}

/* UCX calls back for requests that take time alone. */
void sheaf_ucx_native_follow(const ucp_request_param_t *param, ucs_status_ptr_t request)
{
    if (!UCS_PTR_IS_PTR(request))
        on_done(NULL, UCS_PTR_STATUS(request), param->user_data);
}

enum direction { PUT, GET };

/* dest and source as the program names them: one of them stands for the peer's. */
struct transfer {
    enum direction direction;
    unsigned char *dest;
    const unsigned char *source;
    size_t bytes;
};

static struct sheaf_ucx_part remote_part(const struct transfer *transfer)
{
    return sheaf_ucx_part_of(transfer->direction == PUT ? transfer->dest : transfer->source);
}

static size_t piece_of(const struct transfer *transfer, const struct sheaf_ucx_part *part)
{
    const void *remote = transfer->direction == PUT ? transfer->dest : transfer->source;
    size_t rest = part->end - (uintptr_t)remote;
    return transfer->bytes < rest ? transfer->bytes : rest;
}

static ucs_status_ptr_t issue(const struct sheaf_ucx_peer *peer, const struct transfer *transfer,
                              size_t bytes, ucp_rkey_h key, const ucp_request_param_t *param)
{
    if (transfer->direction == PUT)
        return sheaf_ucx.ucp_put_nbx(peer->endpoint, transfer->source, bytes,
                                     sheaf_ucx_remote(peer, transfer->dest), key, param);
    return sheaf_ucx.ucp_get_nbx(peer->endpoint, transfer->dest, bytes,
                                 sheaf_ucx_remote(peer, transfer->source), key, param);
}

static void step(struct transfer *transfer, size_t bytes)
{
    transfer->dest += bytes;
    transfer->source += bytes;
    transfer->bytes -= bytes;
}

/* Whether the keys of all its parts are here; all that are not are asked for. */
static bool has_keys(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                     struct transfer transfer)
{
    bool all = true;
    while (transfer.bytes > 0) {
        struct sheaf_ucx_part part = remote_part(&transfer);
        all &= sheaf_ucx_key_of(worker, peer, &part) != NULL;
        step(&transfer, piece_of(&transfer, &part));
    }
    return all;
}

static bool may_start(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                      const struct transfer *transfer)
{
    return sheaf_ucx_may_go_native(worker, peer) && has_keys(worker, peer, *transfer);
}

/* A get whose end is waited for needs no flush. */
static void count_answer(struct sheaf_ucx_worker *worker, struct sheaf_ucx_operation *get)
{
    get->has_answer = true;
    get->peer->asked++;
    sheaf_ucx_mark_dirty(worker, get->peer);
}

static void start(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                  struct transfer transfer, size_t *left)
{
    while (transfer.bytes > 0) {
        struct sheaf_ucx_part part = remote_part(&transfer);
        ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
        ucp_request_param_t param = sheaf_ucx_native_begin(worker, peer, left);
        size_t piece = piece_of(&transfer, &part);
        if (transfer.direction == GET && left)
            count_answer(worker, param.user_data);
        else
            sheaf_ucx_count_native(worker, peer);
        sheaf_ucx_native_follow(&param, issue(peer, &transfer, piece, key, &param));
        step(&transfer, piece);
    }
}

static bool try_start(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                      struct transfer transfer, size_t *left)
{
    if (!may_start(worker, peer, &transfer))
        return false;
    start(worker, peer, transfer, left);
    return true;
}

bool sheaf_ucx_native_put(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                          const void *source, size_t bytes, size_t *left)
{
    return try_start(worker, peer, (struct transfer){PUT, dest, source, bytes}, left);
}

bool sheaf_ucx_native_get(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                          const void *source, size_t bytes, size_t *left)
{
    return try_start(worker, peer, (struct transfer){GET, dest, source, bytes}, left);
}

/* Block by block: packing would need the target's processor. */
static bool start_row(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                      enum direction direction, struct sheaf_row *row, size_t *left)
{
    while (row->blocks.count > 0) {
        struct transfer block = {direction, row->dest, row->source, row->blocks.block_bytes};
        if (!try_start(worker, peer, block, left))
            return false;
        sheaf_ucx_advance(row, 1);
    }
    return true;
}

bool sheaf_ucx_native_put_row(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                              struct sheaf_row *row, size_t *left)
{
    return start_row(worker, peer, PUT, row, left);
}

bool sheaf_ucx_native_get_row(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                              struct sheaf_row *row, size_t *left)
{
    return start_row(worker, peer, GET, row, left);
}

/* 8 bytes that are aligned: the network stores them at once. */
static void set_signal(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                       const struct sheaf_signal_call *signal, ucp_rkey_h key, size_t *left)
{
    ucp_request_param_t param = sheaf_ucx_native_begin(worker, peer, left);
    uint64_t *value = &((struct sheaf_ucx_operation *)param.user_data)->value;
    *value = signal->value;
    sheaf_ucx_count_native(worker, peer);
    sheaf_ucx_native_follow(&param, sheaf_ucx.ucp_put_nbx(
                                        peer->endpoint, value, sizeof *value,
                                        sheaf_ucx_remote(peer, signal->object), key, &param));
}

bool sheaf_ucx_native_set_signal(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                                 void *dest, const void *source, size_t bytes,
                                 const struct sheaf_signal_call *signal, size_t *left)
{
    struct sheaf_ucx_part part = sheaf_ucx_part_of(signal->object);
    ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
    if (!key || !sheaf_ucx_native_put(worker, peer, dest, source, bytes, left))
        return false;
    if (bytes > 0)
        sheaf_ucx.ucp_worker_fence(worker->ucp);
    set_signal(worker, peer, signal, key, left);
    return true;
}
