/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sending one active message, and what has to outlive the call that sends it.
 */
#include "engine/ucx/ucx.h"

#include "base/atomic.h"
#include "base/os/os.h"

#include <stddef.h>
#include <stdlib.h>

/* A handle: the operation's number in its worker's table, and from this bit on how often it has been
 * used, from 1 on. So 0 is none, and an answer that comes late or twice finds nothing. */
#define ONE_USE (UINT64_C(1) << 32)

static bool grow_table(struct sheaf_ucx_worker *worker)
{
    uint32_t room = worker->room ? 2 * worker->room : 64;
    void *table = realloc(worker->operations, room * sizeof(struct sheaf_ucx_operation *));
    if (!table)
        return false;
    worker->operations = table;
    worker->room = room;
    return true;
}

static struct sheaf_ucx_operation *make_operation(struct sheaf_ucx_worker *worker)
{
    if (worker->made == worker->room && !grow_table(worker))
        return NULL;
    struct sheaf_ucx_operation *operation = malloc(sizeof *operation);
    if (!operation)
        return NULL;
    operation->handle = ONE_USE | worker->made;
    worker->operations[worker->made++] = operation;
    return operation;
}

struct sheaf_ucx_operation *sheaf_ucx_operation_find(const struct sheaf_ucx_worker *worker,
                                                     uint64_t handle)
{
    uint32_t number = (uint32_t)handle;
    if (number >= worker->made || worker->operations[number]->handle != handle)
        return NULL;
    return worker->operations[number];
}

struct sheaf_ucx_operation *sheaf_ucx_operation_get(struct sheaf_ucx_worker *worker,
                                                    struct sheaf_ucx_peer *peer)
{
    struct sheaf_ucx_operation *operation = worker->free;
    if (operation)
        worker->free = operation->next;
    else if (!(operation = make_operation(worker)))
        sheaf_ucx_failed(peer ? peer->pe : sheaf_ucx_state.job.pe, "message", UCS_ERR_NO_MEMORY);
    worker->in_use++;
    operation->worker = worker;
    operation->peer = peer;
    operation->left = 1;
    operation->waiter = NULL;
    operation->packed = NULL;
    operation->batch = NULL;
    operation->due = 0;
    operation->has_answer = false;
    operation->is_delegated = false;
    return operation;
}

static void finish(struct sheaf_ucx_operation *operation)
{
    struct sheaf_ucx_worker *worker = operation->worker;
    if (operation->has_answer)
        sheaf_ucx_count_ended(worker, &operation->peer->answered, 1);
    if (operation->waiter)
        sheaf_store_release(operation->waiter, *operation->waiter - 1);
    if (operation->batch)
        sheaf_ucx_batch_return(worker, operation->batch);
    free(operation->packed);
    operation->handle += operation->handle < UINT64_MAX - ONE_USE ? ONE_USE : 2 * ONE_USE;
    operation->next = worker->free;
    worker->free = operation;
    worker->in_use--;
}

void sheaf_ucx_operation_advance(struct sheaf_ucx_operation *operation, size_t bytes)
{
    operation->left -= bytes;
    if (operation->left == 0)
        finish(operation);
}

void sheaf_ucx_operation_answered(struct sheaf_ucx_operation *operation, size_t bytes)
{
    operation->due -= bytes;
    operation->received += bytes;
    sheaf_ucx_operation_advance(operation, bytes);
}

static struct sheaf_ucx_seal make_seal(enum sheaf_ucx_message message)
{
    const struct sheaf_engine_job *job = &sheaf_ucx_state.job;
    return (struct sheaf_ucx_seal){{job->key[0], job->key[1]}, (uint32_t)job->pe, message};
}

static size_t envelope_size(enum sheaf_ucx_message message)
{
    return sizeof(struct sheaf_ucx_seal) + sheaf_ucx_header_size[message];
}

_Static_assert(offsetof(struct sheaf_ucx_operation, header) -
                       offsetof(struct sheaf_ucx_operation, seal) ==
                   offsetof(struct sheaf_ucx_envelope, header),
               "seal and header lie there as they travel");

/* An answer that does not arrive is the matter of who asked. */
static void on_sent(void *request, ucs_status_t status, void *argument)
{
    struct sheaf_ucx_operation *operation = argument;
    if (status != UCS_OK && operation->peer)
        sheaf_ucx_failed(operation->peer->pe, "message", status);
    if (request)
        sheaf_ucx.ucp_request_free(request);
    sheaf_ucx_operation_advance(operation, 1);
}

/* A collective's message needs no answer, and goes as UCX thinks best where it is whole and long. */
static unsigned flags_of(const struct sheaf_ucx_operation *operation, enum sheaf_ucx_message message,
                         size_t bytes)
{
    if (message == SHEAF_UCX_SEND && bytes > SHEAF_UCX_FRAGMENT)
        return 0;
    bool is_answered = operation->peer && message != SHEAF_UCX_SEND && message != SHEAF_UCX_SEND_WORD;
    return UCP_AM_SEND_FLAG_EAGER | (is_answered ? UCP_AM_SEND_FLAG_REPLY : 0);
}

void sheaf_ucx_send_operation(struct sheaf_ucx_operation *operation, ucp_ep_h endpoint,
                              enum sheaf_ucx_message message, const void *source, size_t bytes)
{
    SHEAF_KEEP_ERRNO;
    ucp_request_param_t param = {
        .op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA |
                        UCP_OP_ATTR_FIELD_FLAGS,
        .flags = flags_of(operation, message, bytes),
        .cb.send = on_sent,
        .user_data = operation,
    };
    operation->seal = make_seal(message);
    ucs_status_ptr_t request = sheaf_ucx.ucp_am_send_nbx(
        endpoint, message, &operation->seal, envelope_size(message), source, bytes, &param);
    if (!UCS_PTR_IS_PTR(request))
        on_sent(NULL, UCS_PTR_STATUS(request), operation);
}

const unsigned char sheaf_ucx_header_size[SHEAF_UCX_MESSAGES] = {
    [SHEAF_UCX_PUT] = sizeof(struct sheaf_ucx_put),
    [SHEAF_UCX_PUT_WORD] = sizeof(struct sheaf_ucx_put_word),
    [SHEAF_UCX_PUT_SIGNAL] = sizeof(struct sheaf_ucx_put_signal),
    [SHEAF_UCX_GET] = sizeof(struct sheaf_ucx_get),
    [SHEAF_UCX_AMO] = sizeof(struct sheaf_ucx_amo),
    [SHEAF_UCX_ADD] = sizeof(struct sheaf_ucx_add),
    [SHEAF_UCX_ROWS] = sizeof(struct sheaf_ucx_rows),
    [SHEAF_UCX_GET_ROWS] = sizeof(struct sheaf_ucx_done),
    [SHEAF_UCX_ROWS_DATA] = sizeof(struct sheaf_ucx_done),
    [SHEAF_UCX_DONE] = sizeof(struct sheaf_ucx_done),
    [SHEAF_UCX_DATA] = sizeof(struct sheaf_ucx_data),
    [SHEAF_UCX_RESULT] = sizeof(struct sheaf_ucx_result),
    [SHEAF_UCX_KEY] = sizeof(struct sheaf_ucx_key),
    [SHEAF_UCX_KEY_DATA] = sizeof(struct sheaf_ucx_key),
    [SHEAF_UCX_LANE] = sizeof(struct sheaf_ucx_lane),
    [SHEAF_UCX_LANE_KEY] = sizeof(struct sheaf_ucx_key),
    [SHEAF_UCX_BATCH] = sizeof(struct sheaf_ucx_batch_call),
    [SHEAF_UCX_BATCH_DATA] = sizeof(struct sheaf_ucx_done),
    [SHEAF_UCX_SEND] = sizeof(struct sheaf_ucx_send),
    [SHEAF_UCX_SEND_WORD] = sizeof(struct sheaf_ucx_send_word),
    [SHEAF_UCX_ACKNOWLEDGE] = sizeof(struct sheaf_ucx_acknowledge),
};
