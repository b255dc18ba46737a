/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The messages of collectives: UCX's tag matching on the service worker, with all 64 bits of the
 * caller's tag. A message's request is not UCX's but the peer's number, until UCX says that it is
 * complete: UCX's own is given back at that moment, whoever's turn brought it.
 */
#include "engine/ucx/ucx.h"

#include "base/atomic.h"

static void complete(void *request, ucs_status_t status, struct sheaf_message *message)
{
    if (status != UCS_OK && !sheaf_load_relaxed(&sheaf_ucx_state.is_stopping))
        sheaf_ucx_failed((int)((uintptr_t)message->request - 1), "message", status);
    if (request)
        sheaf_ucx.ucp_request_free(request);
    sheaf_store_release(&message->request, NULL);
}

static void on_sent(void *request, ucs_status_t status, void *argument)
{
    complete(request, status, argument);
}

static void on_received(void *request, ucs_status_t status, const ucp_tag_recv_info_t *info,
                        void *argument)
{
    (void)info;
    complete(request, status, argument);
}

static void *mark(int peer)
{
    return (void *)((uintptr_t)peer + 1);
}

void sheaf_ucx_send(int peer, uint64_t tag, const void *source, size_t bytes,
                    struct sheaf_message *message)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_state.service;
    struct sheaf_ucx_peer *target = sheaf_ucx_peer_at(worker, peer);
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.send = on_sent,
        .user_data = message,
    };
    message->request = mark(peer);
    sheaf_ucx_lock(worker);
    ucs_status_ptr_t request =
        sheaf_ucx.ucp_tag_send_nbx(target->endpoint, source, bytes, tag, &param);
    if (!UCS_PTR_IS_PTR(request))
        complete(NULL, UCS_PTR_STATUS(request), message);
    sheaf_ucx_unlock(worker);
}

void sheaf_ucx_receive(int peer, uint64_t tag, void *dest, size_t bytes,
                       struct sheaf_message *message)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_state.service;
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.recv = on_received,
        .user_data = message,
    };
    message->request = mark(peer);
    sheaf_ucx_lock(worker);
    ucs_status_ptr_t request =
        sheaf_ucx.ucp_tag_recv_nbx(worker->ucp, dest, bytes, tag, UINT64_MAX, &param);
    if (!UCS_PTR_IS_PTR(request))
        complete(NULL, UCS_PTR_STATUS(request), message);
    sheaf_ucx_unlock(worker);
}

bool sheaf_ucx_is_complete(struct sheaf_message *message)
{
    return sheaf_load_acquire(&message->request) == NULL;
}
