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

/* With an operation that ends when the request does, and then counts waiter down. */
ucp_request_param_t sheaf_ucx_native_begin(struct sheaf_ucx_worker *worker,
                                           struct sheaf_ucx_peer *peer, size_t *waiter)
{
    sheaf_ucx_hold_back(worker);
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    operation->waiter = waiter;
    if (waiter)
        ++*waiter;
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

static size_t until(const struct sheaf_ucx_part *part, const void *at, size_t bytes)
{
    size_t rest = part->end - (uintptr_t)at;
    return bytes < rest ? bytes : rest;
}

void sheaf_ucx_native_start_put(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                                void *dest, const void *source, size_t bytes, size_t *waiter)
{
    for (size_t piece; bytes > 0; bytes -= piece) {
        struct sheaf_ucx_part part = sheaf_ucx_part_of(dest);
        ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
        ucp_request_param_t param = sheaf_ucx_native_begin(worker, peer, waiter);
        piece = until(&part, dest, bytes);
        sheaf_ucx_native_count(worker, peer);
        sheaf_ucx_native_follow(&param, sheaf_ucx.ucp_put_nbx(peer->endpoint, source, piece,
                                                              sheaf_ucx_remote(peer, dest), key,
                                                              &param));
        dest = (char *)dest + piece;
        source = (const char *)source + piece;
    }
}

void sheaf_ucx_native_start_get(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                                void *dest, const void *source, size_t bytes, size_t *waiter)
{
    for (size_t piece; bytes > 0; bytes -= piece) {
        struct sheaf_ucx_part part = sheaf_ucx_part_of(source);
        ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
        ucp_request_param_t param = sheaf_ucx_native_begin(worker, peer, waiter);
        piece = until(&part, source, bytes);
        sheaf_ucx_native_count(worker, peer);
        sheaf_ucx_native_follow(&param, sheaf_ucx.ucp_get_nbx(peer->endpoint, dest, piece,
                                                              sheaf_ucx_remote(peer, source), key,
                                                              &param));
        dest = (char *)dest + piece;
        source = (const char *)source + piece;
    }
}

/* One piece at a time: few puts and gets reach beyond a part. */
void sheaf_ucx_native_put(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                          const void *source, size_t bytes)
{
    const ucp_request_param_t param = {.op_attr_mask = 0};
    for (size_t piece; bytes > 0; bytes -= piece) {
        struct sheaf_ucx_part part = sheaf_ucx_part_of(dest);
        ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
        piece = until(&part, dest, bytes);
        sheaf_ucx_native_count(worker, peer);
        sheaf_ucx_finish(worker, peer, "put",
                         sheaf_ucx.ucp_put_nbx(peer->endpoint, source, piece,
                                               sheaf_ucx_remote(peer, dest), key, &param));
        dest = (char *)dest + piece;
        source = (const char *)source + piece;
    }
}

void sheaf_ucx_native_get(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                          const void *source, size_t bytes)
{
    const ucp_request_param_t param = {.op_attr_mask = 0};
    for (size_t piece; bytes > 0; bytes -= piece) {
        struct sheaf_ucx_part part = sheaf_ucx_part_of(source);
        ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
        piece = until(&part, source, bytes);
        sheaf_ucx_finish(worker, peer, "get",
                         sheaf_ucx.ucp_get_nbx(peer->endpoint, dest, piece,
                                               sheaf_ucx_remote(peer, source), key, &param));
        dest = (char *)dest + piece;
        source = (const char *)source + piece;
    }
}

/* Block by block: packing would need the target's processor. */
void sheaf_ucx_native_put_blocks(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                                 unsigned char *dest, const unsigned char *source,
                                 const struct sheaf_blocks *blocks)
{
    size_t left = 0;
    for (size_t i = 0; i < blocks->count; i++)
        sheaf_ucx_native_start_put(worker, peer, dest + (ptrdiff_t)i * blocks->dest_stride,
                                   source + (ptrdiff_t)i * blocks->source_stride,
                                   blocks->block_bytes, &left);
    sheaf_ucx_wait(worker, &left, 0);
}

void sheaf_ucx_native_get_blocks(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                                 unsigned char *dest, const unsigned char *source,
                                 const struct sheaf_blocks *blocks)
{
    size_t left = 0;
    for (size_t i = 0; i < blocks->count; i++)
        sheaf_ucx_native_start_get(worker, peer, dest + (ptrdiff_t)i * blocks->dest_stride,
                                   source + (ptrdiff_t)i * blocks->source_stride,
                                   blocks->block_bytes, &left);
    sheaf_ucx_wait(worker, &left, 0);
}

/* 8 bytes that are aligned: the network stores them at once. */
static void set_signal(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                       const struct sheaf_signal_call *signal, size_t *waiter)
{
    struct sheaf_ucx_part part = sheaf_ucx_part_of(signal->object);
    ucp_rkey_h key = sheaf_ucx_key_of(worker, peer, &part);
    ucp_request_param_t param = sheaf_ucx_native_begin(worker, peer, waiter);
    uint64_t *value = &((struct sheaf_ucx_operation *)param.user_data)->value;
    *value = signal->value;
    sheaf_ucx_native_count(worker, peer);
    sheaf_ucx_native_follow(&param, sheaf_ucx.ucp_put_nbx(
                                        peer->endpoint, value, sizeof *value,
                                        sheaf_ucx_remote(peer, signal->object), key, &param));
}

void sheaf_ucx_native_set_signal(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                                 void *dest, const void *source, size_t bytes,
                                 const struct sheaf_signal_call *signal, bool nbi)
{
    size_t left = 0, *waiter = nbi ? NULL : &left;
    sheaf_ucx_native_start_put(worker, peer, dest, source, bytes, waiter);
    if (bytes > 0)
        sheaf_ucx.ucp_worker_fence(worker->ucp);
    set_signal(worker, peer, signal, waiter);
    sheaf_ucx_wait(worker, &left, 0);
}
