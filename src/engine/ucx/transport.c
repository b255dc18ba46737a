/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The transport's table: a port is a worker of UCX, a link an endpoint, a message an active message.
 */
#include "engine/ucx/ucx.h"

#include "base/os/os.h"

#include <stdlib.h>
#include <string.h>

static ucp_worker_h worker_of(sheaf_transport_port *port)
{
    return (ucp_worker_h)port;
}

static const struct sheaf_transport_user *transport_user(void)
{
    return sheaf_ucx_state.user;
}

/* If the sender asks first there is no data yet. Returning UCS_OK then drops a message that is not being
 * fetched. */
static ucs_status_t on_message(void *owner, const void *header, size_t header_bytes, void *data,
                               size_t bytes,
                               const ucp_am_recv_param_t *param)
{
    bool is_answered = param->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP;
    bool is_here = !(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV);
    const struct sheaf_transport_arrival arrival = {
        .header = header,
        .header_bytes = header_bytes,
        .data = is_here ? data : NULL,
        .bytes = bytes,
        .waiting = is_here ? NULL : data,
        .origin = is_answered ? (sheaf_transport_link *)param->reply_ep : NULL,
    };
    return transport_user()->arrived(owner, &arrival) ? UCS_INPROGRESS : UCS_OK;
}

static ucs_status_t on_padded(void *owner, const void *header, size_t header_bytes, void *data,
                              size_t bytes, const ucp_am_recv_param_t *param)
{
    if (bytes < SHEAF_UCX_PADDING || param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV)
        return UCS_OK;
    return on_message(owner, header, header_bytes, (char *)data + SHEAF_UCX_PADDING,
                      bytes - SHEAF_UCX_PADDING, param);
}

static ucs_status_t set_handler(ucp_worker_h worker, unsigned id, ucp_am_recv_callback_t handler,
                                void *owner)
{
    const ucp_am_handler_param_t param = {
        .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                      UCP_AM_HANDLER_PARAM_FIELD_ARG,
        .id = id,
        .cb = handler,
        .arg = owner,
    };
    return sheaf_ucx.ucp_worker_set_am_recv_handler(worker, &param);
}

static ucs_status_t open_worker(ucp_worker_h *worker, void *owner)
{
    ucp_worker_params_t params = {
        .field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE | UCP_WORKER_PARAM_FIELD_FLAGS,
        .thread_mode = UCS_THREAD_MODE_SERIALIZED,
        .flags = UCP_WORKER_FLAG_IGNORE_REQUEST_LEAK,
    };
    ucs_status_t status = sheaf_ucx.ucp_worker_create(sheaf_ucx_state.context, &params, worker);
    if (status != UCS_OK)
        return status;
    int descriptor;
    status = sheaf_ucx.ucp_worker_get_efd(*worker, &descriptor);
    if (status == UCS_OK)
        status = set_handler(*worker, SHEAF_UCX_MESSAGE, on_message, owner);
    if (status == UCS_OK)
        status = set_handler(*worker, SHEAF_UCX_PADDED, on_padded, owner);
    if (status != UCS_OK)
        sheaf_ucx.ucp_worker_destroy(*worker);
    return status;
}

static sheaf_transport_port *ucx_open_port(void *owner, const char **why)
{
    ucp_worker_h worker;
    sheaf_ucx_ask_again();
    sheaf_ucx_before_port();
    ucs_status_t status = open_worker(&worker, owner);
    sheaf_ucx_after_port();
    *why = status == UCS_OK ? NULL : sheaf_ucx_explain(status);
    return status == UCS_OK ? (sheaf_transport_port *)worker : NULL;
}

static void ucx_close_port(sheaf_transport_port *port)
{
    sheaf_ucx.ucp_worker_destroy(worker_of(port));
}

static int ucx_descriptor(sheaf_transport_port *port)
{
    int fd = -1;
    sheaf_ucx.ucp_worker_get_efd(worker_of(port), &fd);
    return fd;
}

static int ucx_address(sheaf_transport_port *port, void **address, size_t *length, const char **why)
{
    ucp_address_t *own;
    size_t bytes;
    ucs_status_t status = sheaf_ucx.ucp_worker_get_address(worker_of(port), &own, &bytes);
    *why = sheaf_ucx_why(status);
    if (status != UCS_OK)
        return -1;
    struct sheaf_ucx_address *all = malloc(sizeof *all + bytes);
    *why = all ? NULL : "no memory";
    if (all) {
        all->is_gated = sheaf_ucx_state.is_gated;
        memcpy(all + 1, own, bytes);
    }
    sheaf_ucx.ucp_worker_release_address(worker_of(port), own);
    *address = all;
    *length = sizeof *all + bytes;
    return all ? 0 : -1;
}

static void on_error(void *peer, ucp_ep_h endpoint, ucs_status_t status)
{
    (void)endpoint;
    transport_user()->lost(peer, sheaf_ucx.ucs_status_string(status));
}

static const char *unreachable_words(void)
{
    static char why[200];
    snprintf(why, sizeof why, "%s with UCX_TLS=%.60s, UCX_NET_DEVICES=%.60s",
             sheaf_ucx.ucs_status_string(UCS_ERR_UNREACHABLE), sheaf_ucx_setting("UCX_TLS"),
             sheaf_ucx_setting("UCX_NET_DEVICES"));
    return why;
}

/* Some transports, shared memory among them, do not report dead peers, and UCX excludes them if reports
 * are requested. They are better than none. */
static ucs_status_t create_endpoint(ucp_worker_h worker, const void *address, void *peer,
                                    ucp_ep_h *endpoint)
{
    ucp_ep_params_t params = {
        .field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER,
        .address = address,
        .err_mode = UCP_ERR_HANDLING_MODE_PEER,
        .err_handler = {on_error, peer},
    };
    ucs_status_t status = sheaf_ucx.ucp_ep_create(worker, &params, endpoint);
    if (status != UCS_ERR_UNREACHABLE)
        return status;
    params.err_mode = UCP_ERR_HANDLING_MODE_NONE;
    return sheaf_ucx.ucp_ep_create(worker, &params, endpoint);
}

/* If only one of two processes begins connections with the key, the other would not understand. */
static sheaf_transport_link *ucx_connect_link(sheaf_transport_port *port, const void *address,
                                              size_t length,
                                              void *peer, const char **why)
{
    struct sheaf_ucx_address head;
    ucp_ep_h endpoint;
    *why = "its address is too short";
    if (length < sizeof head)
        return NULL;
    memcpy(&head, address, sizeof head);
    *why = "its UCX is built another way, so that one of the two hosts cannot keep strangers out: give all "
           "hosts "
           "the same UCX";
    if (head.is_gated != sheaf_ucx_state.is_gated)
        return NULL;
    bool was_inside = sheaf_ucx_is_inside; /* an answer within a turn may be the first message to that
                                              peer */
    sheaf_ucx_is_inside = true;
    ucs_status_t status =
        create_endpoint(worker_of(port), (const char *)address + sizeof head, peer, &endpoint);
    sheaf_ucx_is_inside = was_inside;
    *why = status == UCS_ERR_UNREACHABLE ? unreachable_words() : sheaf_ucx_why(status);
    return status == UCS_OK ? (sheaf_transport_link *)endpoint : NULL;
}

static void on_sent(void *request, ucs_status_t status, void *operation)
{
    if (request)
        sheaf_ucx.ucp_request_free(request);
    transport_user()->sent(operation, sheaf_ucx_why(status));
}

/* UCX chooses how a long message travels. */
static unsigned send_flags(const struct sheaf_transport_message *message)
{
    if (message->may_ask)
        return 0;
    return UCP_AM_SEND_FLAG_EAGER | (message->is_answered ? UCP_AM_SEND_FLAG_REPLY : 0);
}

/* What UCX needs until a padded message has been sent. */
struct padded {
    ucp_dt_iov_t parts[2];
    void *operation;
};

static void on_padded_sent(void *request, ucs_status_t status, void *user_data)
{
    struct padded *padded = user_data;
    void *operation = padded->operation;
    free(padded);
    on_sent(request, status, operation);
}

/* Over TCP the kernel copies the data to a place that is SHEAF_UCX_HEAD bytes into a page, since UCX's own
 * header goes before it. Where that place is 1 to 63 bytes after the source's, modulo a page, processors
 * with fast short REP MOVSB (AMD Zen 4) copy at a fourth of the speed: 64 KiB from the start of a page took
 * writev 59 us, and 13 with 77 bytes before it. Below a page it makes no difference. */
#define SHEAF_UCX_HEAD 13
#define PAGE           4096
static bool is_copied_slowly(const struct sheaf_transport_message *message)
{
    return !sheaf_ucx_state.has_devices && !message->may_ask && message->bytes >= PAGE &&
           (SHEAF_UCX_HEAD - (uintptr_t)message->source - 1) % PAGE < SHEAF_UCX_PADDING - 1;
}

/* Returns false, and has done nothing, without memory. */
static bool send_padded(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    static char padding[SHEAF_UCX_PADDING];
    struct padded *padded = malloc(sizeof *padded);
    if (!padded)
        return false;
    *padded = (struct padded){
        .parts = {{padding, sizeof padding}, {(void *)message->source, message->bytes}},
        .operation = message->operation,
    };
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_FLAGS | UCP_OP_ATTR_FIELD_DATATYPE,
        .flags = send_flags(message),
        .datatype = ucp_dt_make_iov(),
        .cb.send = on_padded_sent,
        .user_data = padded,
    };
    ucs_status_ptr_t request =
        sheaf_ucx.ucp_am_send_nbx(sheaf_ucx_endpoint(link), SHEAF_UCX_PADDED, message->header,
                                  message->header_bytes, padded->parts, 2, &param);
    if (!UCS_PTR_IS_PTR(request))
        on_padded_sent(NULL, UCS_PTR_STATUS(request), padded);
    return true;
}

static void ucx_send_message(sheaf_transport_link *link, const struct sheaf_transport_message *message)
{
    SHEAF_KEEP_ERRNO;
    if (is_copied_slowly(message) && send_padded(link, message))
        return;
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_FLAGS,
        .flags = send_flags(message),
        .cb.send = on_sent,
        .user_data = message->operation,
    };
    ucs_status_ptr_t request =
        sheaf_ucx.ucp_am_send_nbx(sheaf_ucx_endpoint(link), SHEAF_UCX_MESSAGE, message->header,
                                  message->header_bytes, message->source, message->bytes, &param);
    if (!UCS_PTR_IS_PTR(request))
        on_sent(NULL, UCS_PTR_STATUS(request), message->operation);
}

static void on_fetched(void *request, ucs_status_t status, size_t bytes, void *message)
{
    (void)bytes;
    if (request)
        sheaf_ucx.ucp_request_free(request);
    transport_user()->fetched(message, sheaf_ucx_why(status));
}

static void ucx_fetch(sheaf_transport_port *port, void *waiting, void *dest, size_t bytes, void *message)
{
    const ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA,
        .cb.recv_am = on_fetched,
        .user_data = message,
    };
    ucs_status_ptr_t request = sheaf_ucx.ucp_am_recv_data_nbx(worker_of(port), waiting, dest, bytes,
                                                              &param);
    if (!UCS_PTR_IS_PTR(request))
        on_fetched(NULL, UCS_PTR_STATUS(request), bytes, message);
}

static bool ucx_turn(sheaf_transport_port *port)
{
    sheaf_ucx_is_inside = true;
    bool any = sheaf_ucx.ucp_worker_progress(worker_of(port)) != 0;
    sheaf_ucx_is_inside = false;
    return any;
}

static bool ucx_arm(sheaf_transport_port *port)
{
    return sheaf_ucx.ucp_worker_arm(worker_of(port)) == UCS_OK;
}

static const char *ucx_devices_of(const sheaf_transport_link *link)
{
    (void)link;
    return sheaf_ucx_state.devices;
}

const struct sheaf_transport sheaf_transport_ucx = {
    .name = "ucx",
    .title = "UCX",
    .is_installed = sheaf_ucx_is_installed,
    .start = sheaf_ucx_start,
    .stop = sheaf_ucx_stop,
    .describe = sheaf_ucx_describe,
    .native_atomics = sheaf_ucx_native_atomics,
    .open = ucx_open_port,
    .close = ucx_close_port,
    .address = ucx_address,
    .connect = ucx_connect_link,
    .devices_of = ucx_devices_of,
    .send = ucx_send_message,
    .fetch = ucx_fetch,
    .turn = ucx_turn,
    .descriptor = ucx_descriptor,
    .arm = ucx_arm,
    .look = sheaf_ucx_look_for_dead_hosts,
    .direct = &sheaf_ucx_direct,
};
