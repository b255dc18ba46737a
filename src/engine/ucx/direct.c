/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts, gets and atomic operations by UCX itself, with its remote keys.
 */
#include "engine/ucx/ucx.h"

#include <stdlib.h>
#include <string.h>

ucs_status_t sheaf_ucx_map(ucp_context_h context, void *start, size_t bytes, ucp_mem_h *memory)
{
    const ucp_mem_map_params_t params = {
        .field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS | UCP_MEM_MAP_PARAM_FIELD_LENGTH,
        .address = start,
        .length = bytes,
    };
    return sheaf_ucx.ucp_mem_map(context, &params, memory);
}

/* Returns the key, malloc'ed, or NULL and the reason. */
static void *ucx_pack_key(ucp_mem_h memory, size_t *bytes, const char **why)
{
    void *packed, *key = NULL;
    ucs_status_t status = sheaf_ucx.ucp_rkey_pack(sheaf_ucx_state.context, memory, &packed, bytes);
    *why = sheaf_ucx_why(status);
    if (status != UCS_OK)
        return NULL;
    *why = *bytes > SHEAF_TRANSPORT_KEY ? "its key is too long" : "no memory for its key";
    if (*bytes <= SHEAF_TRANSPORT_KEY && (key = malloc(*bytes)))
        memcpy(key, packed, *bytes);
    sheaf_ucx.ucp_rkey_buffer_release(packed);
    return key;
}

static sheaf_transport_memory *ucx_offer(void *start, size_t bytes, void **key, size_t *key_bytes,
                                         const char **why)
{
    ucp_mem_h memory;
    ucs_status_t status = sheaf_ucx_map(sheaf_ucx_state.context, start, bytes, &memory);
    *why = sheaf_ucx_why(status);
    if (status != UCS_OK)
        return NULL;
    *key = ucx_pack_key(memory, key_bytes, why);
    if (*key)
        return (sheaf_transport_memory *)memory;
    sheaf_ucx.ucp_mem_unmap(sheaf_ucx_state.context, memory);
    return NULL;
}

static void ucx_withdraw(sheaf_transport_memory *memory)
{
    sheaf_ucx.ucp_mem_unmap(sheaf_ucx_state.context, (ucp_mem_h)memory);
}

static sheaf_transport_key *ucx_accept(sheaf_transport_link *link, const void *key, size_t key_bytes,
                                       const char **why)
{
    ucp_rkey_h unpacked;
    (void)key_bytes;
    ucs_status_t status = sheaf_ucx.ucp_ep_rkey_unpack(sheaf_ucx_endpoint(link), key, &unpacked);
    *why = sheaf_ucx_why(status);
    return status == UCS_OK ? (sheaf_transport_key *)unpacked : NULL;
}

static void ucx_forget(sheaf_transport_key *key)
{
    sheaf_ucx.ucp_rkey_destroy((ucp_rkey_h)key);
}

static void on_done(void *request, ucs_status_t status, void *operation)
{
    if (request)
        sheaf_ucx.ucp_request_free(request);
    sheaf_ucx_state.user->done(operation, sheaf_ucx_why(status));
}

static void on_flushed(void *request, ucs_status_t status, void *operation)
{
    if (request)
        sheaf_ucx.ucp_request_free(request);
    sheaf_ucx_state.user->flushed(operation, sheaf_ucx_why(status));
}

static ucp_request_param_t begin_request(void *operation, ucp_send_nbx_callback_t end)
{
    return (ucp_request_param_t){
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = end,
        .user_data = operation,
    };
}

/* UCX calls back only for requests that did not end at once. */
static void follow_request(const ucp_request_param_t *param, ucs_status_ptr_t request)
{
    if (!UCS_PTR_IS_PTR(request))
        param->cb.send(NULL, UCS_PTR_STATUS(request), param->user_data);
}

static void ucx_put(sheaf_transport_link *link, sheaf_transport_key *key, uint64_t remote,
                    const void *source,
                    size_t bytes, void *operation)
{
    ucp_request_param_t param = begin_request(operation, on_done);
    follow_request(&param, sheaf_ucx.ucp_put_nbx(sheaf_ucx_endpoint(link), source, bytes, remote,
                                                 (ucp_rkey_h)key,
                                                 &param));
}

static void ucx_get(sheaf_transport_link *link, sheaf_transport_key *key, void *dest, uint64_t remote,
                    size_t bytes,
                    void *operation)
{
    ucp_request_param_t param = begin_request(operation, on_done);
    follow_request(&param, sheaf_ucx.ucp_get_nbx(sheaf_ucx_endpoint(link), dest, bytes, remote,
                                                 (ucp_rkey_h)key,
                                                 &param));
}

static const ucp_atomic_op_t codes[SHEAF_AMOS] = {
    [SHEAF_AMO_ADD] = UCP_ATOMIC_OP_ADD,   [SHEAF_AMO_AND] = UCP_ATOMIC_OP_AND,
    [SHEAF_AMO_OR] = UCP_ATOMIC_OP_OR,     [SHEAF_AMO_XOR] = UCP_ATOMIC_OP_XOR,
    [SHEAF_AMO_SWAP] = UCP_ATOMIC_OP_SWAP, [SHEAF_AMO_COMPARE_SWAP] = UCP_ATOMIC_OP_CSWAP,
};

static void ucx_atomic(sheaf_transport_link *link, sheaf_transport_key *key,
                       const struct sheaf_transport_atomic *call, void *operation)
{
    ucp_request_param_t param = begin_request(operation, on_done);
    param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
    param.datatype = ucp_dt_make_contig(call->bytes);
    if ((param.reply_buffer = call->reply) != NULL)
        param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
    follow_request(&param, sheaf_ucx.ucp_atomic_op_nbx(sheaf_ucx_endpoint(link), codes[call->operation],
                                                       call->operand, 1,
                                                       call->remote, (ucp_rkey_h)key, &param));
}

static void ucx_fence(sheaf_transport_port *port)
{
    sheaf_ucx.ucp_worker_fence((ucp_worker_h)port);
}

static void ucx_flush(sheaf_transport_link *link, void *operation)
{
    ucp_request_param_t param = begin_request(operation, on_flushed);
    follow_request(&param, sheaf_ucx.ucp_ep_flush_nbx(sheaf_ucx_endpoint(link), &param));
}

const struct sheaf_transport_direct sheaf_ucx_direct = {
    .offer = ucx_offer,
    .withdraw = ucx_withdraw,
    .accept = ucx_accept,
    .forget = ucx_forget,
    .put = ucx_put,
    .get = ucx_get,
    .atomic = ucx_atomic,
    .fence = ucx_fence,
    .flush = ucx_flush,
};
