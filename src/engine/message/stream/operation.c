/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sends one active message, and holds what must outlive the call that sends it.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"
#include "base/probe.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A handle holds the operation's index in its worker's table, and above it a count of uses, from 1. So 0
 * is no handle, and an answer that comes late or twice finds no operation. */
#define ONE_USE (UINT64_C(1) << 32)

static bool grow_table(struct sheaf_msg_worker *worker)
{
    uint32_t room = worker->room ? 2 * worker->room : 64;
    void *table = realloc(worker->operations, room * sizeof(struct sheaf_msg_operation *));
    if (!table)
        return false;
    worker->operations = table;
    worker->room = room;
    return true;
}

static struct sheaf_msg_operation *make_operation(struct sheaf_msg_worker *worker)
{
    if (worker->made == worker->room && !grow_table(worker))
        return NULL;
    struct sheaf_msg_operation *operation = malloc(sizeof *operation);
    if (!operation)
        return NULL;
    operation->handle = ONE_USE | worker->made;
    worker->operations[worker->made++] = operation;
    return operation;
}

struct sheaf_msg_operation *sheaf_msg_operation_find(const struct sheaf_msg_worker *worker,
                                                     uint64_t handle)
{
    uint32_t number = (uint32_t)handle;
    if (number >= worker->made || worker->operations[number]->handle != handle)
        return NULL;
    return worker->operations[number];
}

struct sheaf_msg_operation *sheaf_msg_operation_get(struct sheaf_msg_worker *worker,
                                                    struct sheaf_msg_peer *peer)
{
    struct sheaf_msg_operation *operation = worker->free;
    if (operation)
        worker->free = operation->next;
    else if (!(operation = make_operation(worker)))
        sheaf_msg_failed(peer ? peer->pe : sheaf_msg_state.job.pe, "message", "no memory");
    worker->in_use++;
    operation->worker = worker;
    operation->peer = peer;
    operation->remaining = 1;
    operation->waiter = NULL;
    operation->packed = NULL;
    operation->batch = NULL;
    operation->ended = NULL;
    operation->due = 0;
    operation->has_answer = false;
    operation->is_delegated = false;
    return operation;
}

static void finish_operation(struct sheaf_msg_operation *operation)
{
    struct sheaf_msg_worker *worker = operation->worker;
    if (operation->has_answer)
        sheaf_msg_count_ended(worker, &operation->peer->answered, 1);
    if (operation->waiter)
        sheaf_store_release(operation->waiter, *operation->waiter - 1);
    if (operation->ended)
        operation->ended(operation);
    free(operation->packed);
    operation->handle += operation->handle < UINT64_MAX - ONE_USE ? ONE_USE : 2 * ONE_USE;
    operation->next = worker->free;
    worker->free = operation;
    worker->in_use--;
}

void sheaf_msg_operation_advance(struct sheaf_msg_operation *operation, size_t bytes)
{
    operation->remaining -= bytes;
    if (operation->remaining == 0)
        finish_operation(operation);
}

void sheaf_msg_operation_answered(struct sheaf_msg_operation *operation, size_t bytes)
{
    operation->due -= bytes;
    operation->received += bytes;
    sheaf_msg_operation_advance(operation, bytes);
}

/* Pending acknowledgements for the receiver travel with the message. */
static struct sheaf_msg_common_header make_common_header(const struct sheaf_msg_operation *operation,
                                                         enum sheaf_msg_kind kind,
                                                         const sheaf_transport_link *link)
{
    const struct sheaf_engine_job *job = &sheaf_msg_state.job;
    struct sheaf_msg_worker *worker = operation->worker;
    return (struct sheaf_msg_common_header){
        .key = {job->key[0], job->key[1]},
        .origin = (uint32_t)job->pe,
        .kind = (uint8_t)kind,
        .from = (uint8_t)(2 * job->incarnation + (worker == sheaf_msg_state.service)),
        .acknowledges = worker->pending_count ? sheaf_msg_acknowledge_with(worker, operation->peer,
                                                                           link) : 0,
    };
}

static size_t envelope_size(enum sheaf_msg_kind kind)
{
    return sizeof(struct sheaf_msg_common_header) + sheaf_msg_header_size[kind];
}

_Static_assert(offsetof(struct sheaf_msg_operation, header) -
                       offsetof(struct sheaf_msg_operation, common) ==
                   offsetof(struct sheaf_msg_envelope, header),
               "common header and header are adjacent, as in the message");

/* An answer that does not arrive is handled by the PE that asked for it. */
void sheaf_msg_sent(void *argument, const char *why)
{
    struct sheaf_msg_operation *operation = argument;
    if (sheaf_unlikely(why != NULL) && operation->peer && sheaf_msg_survives_deaths())
        sheaf_msg_lost(operation->peer, why);
    else if (sheaf_unlikely(why != NULL) && operation->peer)
        sheaf_msg_failed(operation->peer->pe, "message", why);
    sheaf_msg_operation_advance(operation, 1);
}

/* Whether data beyond a fragment may be written before the data of earlier messages: no fence lies between
 * them. Answers have destinations of their own. */
static bool may_pass_earlier(const struct sheaf_msg_operation *operation)
{
    struct sheaf_msg_peer *peer = operation->peer;
    uint64_t fences = sheaf_load_relaxed(&operation->worker->fences);
    if (!peer || peer->fences == fences)
        return true;
    peer->fences = fences;
    return false;
}

void sheaf_msg_send_operation(struct sheaf_msg_operation *operation, sheaf_transport_link *link,
                              enum sheaf_msg_kind kind, const void *source, size_t bytes)
{
    bool is_tagged = kind == SHEAF_MSG_SEND || kind == SHEAF_MSG_SEND_WORD;
    const struct sheaf_transport_message message = {
        .header = &operation->common,
        .header_bytes = envelope_size(kind),
        .source = source,
        .bytes = bytes,
        .is_answered = operation->peer && !is_tagged,
        .may_ask = is_tagged && bytes > SHEAF_TRANSPORT_FRAGMENT,
        .may_pass = bytes > SHEAF_TRANSPORT_FRAGMENT && may_pass_earlier(operation),
        .operation = operation,
    };
    operation->common = make_common_header(operation, kind, link);
    SHEAF_PROBE3(message_sent, kind, bytes, link);
    sheaf_msg_count_message(kind, true, bytes);
    if (sheaf_likely(link != NULL))
        sheaf_msg_state.transport->send(link, &message);
    else
        sheaf_msg_sent(operation, "no connection");
}

struct sheaf_engine_messages *sheaf_msg_messages;

/* The names of the kinds for users. */
static const char kind_names[SHEAF_MSG_KINDS][16] = {
    [SHEAF_MSG_PUT] = "put",
    [SHEAF_MSG_PUT_PART] = "put, in parts",
    [SHEAF_MSG_PUT_WORD] = "put a word",
    [SHEAF_MSG_PUT_SIGNAL] = "put and signal",
    [SHEAF_MSG_GET] = "get",
    [SHEAF_MSG_AMO] = "atomic",
    [SHEAF_MSG_AMO_PART] = "atomic, no ack",
    [SHEAF_MSG_ASK] = "ask for an ack",
    [SHEAF_MSG_ADD] = "add",
    [SHEAF_MSG_ADD_PART] = "add, in parts",
    [SHEAF_MSG_ROWS] = "put rows",
    [SHEAF_MSG_GET_ROWS] = "get rows",
    [SHEAF_MSG_ROWS_DATA] = "rows",
    [SHEAF_MSG_DONE] = "done",
    [SHEAF_MSG_DATA] = "data",
    [SHEAF_MSG_RESULT] = "result",
    [SHEAF_MSG_KEY] = "ask for a key",
    [SHEAF_MSG_KEY_DATA] = "key",
    [SHEAF_MSG_LANE] = "connect a lane",
    [SHEAF_MSG_LANE_KEY] = "ask a lane key",
    [SHEAF_MSG_BATCH] = "batch",
    [SHEAF_MSG_BATCH_DATA] = "batch's data",
    [SHEAF_MSG_SEND] = "collective",
    [SHEAF_MSG_SEND_WORD] = "collective word",
    [SHEAF_MSG_ACKNOWLEDGE] = "acknowledge",
    [SHEAF_MSG_CREDIT] = "ask for credit",
};
_Static_assert(SHEAF_MSG_KINDS <= SHEAF_ENGINE_MOST_KINDS, "rows for all kinds");

unsigned sheaf_msg_count_messages(struct sheaf_engine_messages *rows)
{
    for (int kind = 0; rows && kind < SHEAF_MSG_KINDS; kind++)
        memcpy(rows[kind].kind, kind_names[kind], sizeof kind_names[kind]);
    if (rows)
        sheaf_store_release(&sheaf_msg_messages, rows);
    return SHEAF_MSG_KINDS;
}

const unsigned char sheaf_msg_header_size[SHEAF_MSG_KINDS] = {
    [SHEAF_MSG_PUT] = sizeof(struct sheaf_msg_put),
    [SHEAF_MSG_PUT_PART] = sizeof(struct sheaf_msg_put),
    [SHEAF_MSG_PUT_WORD] = sizeof(struct sheaf_msg_put_word),
    [SHEAF_MSG_PUT_SIGNAL] = sizeof(struct sheaf_msg_put_signal),
    [SHEAF_MSG_GET] = sizeof(struct sheaf_msg_get),
    [SHEAF_MSG_AMO] = sizeof(struct sheaf_msg_amo),
    [SHEAF_MSG_AMO_PART] = sizeof(struct sheaf_msg_amo),
    [SHEAF_MSG_ASK] = 0,
    [SHEAF_MSG_ADD] = sizeof(struct sheaf_msg_add),
    [SHEAF_MSG_ADD_PART] = sizeof(struct sheaf_msg_add),
    [SHEAF_MSG_ROWS] = sizeof(struct sheaf_msg_rows),
    [SHEAF_MSG_GET_ROWS] = sizeof(struct sheaf_msg_done),
    [SHEAF_MSG_ROWS_DATA] = sizeof(struct sheaf_msg_done),
    [SHEAF_MSG_DONE] = sizeof(struct sheaf_msg_done),
    [SHEAF_MSG_DATA] = sizeof(struct sheaf_msg_data),
    [SHEAF_MSG_RESULT] = sizeof(struct sheaf_msg_result),
    [SHEAF_MSG_KEY] = sizeof(struct sheaf_msg_key),
    [SHEAF_MSG_KEY_DATA] = sizeof(struct sheaf_msg_key),
    [SHEAF_MSG_LANE] = sizeof(struct sheaf_msg_lane),
    [SHEAF_MSG_LANE_KEY] = sizeof(struct sheaf_msg_key),
    [SHEAF_MSG_BATCH] = sizeof(struct sheaf_msg_batch_call),
    [SHEAF_MSG_BATCH_DATA] = sizeof(struct sheaf_msg_done),
    [SHEAF_MSG_SEND] = sizeof(struct sheaf_msg_send),
    [SHEAF_MSG_SEND_WORD] = sizeof(struct sheaf_msg_send_word),
    [SHEAF_MSG_ACKNOWLEDGE] = sizeof(struct sheaf_msg_acknowledge),
    [SHEAF_MSG_CREDIT] = sizeof(struct sheaf_msg_credit),
};
