/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What arrives: puts are stored, gets and atomic operations answered, answers delivered. Runs within
 * a turn of a worker, under its lock, on whatever thread takes the turn; so nothing here may wait.
 */
#include "engine/ucx/lanes.h"

#include "base/atomic.h"
#include "engine/perform.h"

#include <stdlib.h>
#include <string.h>

/* A PE that waits for a variable never sees half of one. */
void sheaf_ucx_store(unsigned char *dest, const void *source, size_t bytes)
{
    uint64_t word;
    uint32_t half;
    if (bytes == 8 && (uintptr_t)dest % 8 == 0) {
        memcpy(&word, source, 8);
        sheaf_store_relaxed((uint64_t *)dest, word);
    } else if (bytes == 4 && (uintptr_t)dest % 4 == 0) {
        memcpy(&half, source, 4);
        sheaf_store_relaxed((uint32_t *)dest, half);
    } else if (bytes > 0) {
        memcpy(dest, source, bytes);
    }
}

struct sheaf_ucx_word sheaf_ucx_word(const void *source, size_t bytes)
{
    struct sheaf_ucx_word word = {.bytes = bytes};
    sheaf_ucx_store((unsigned char *)&word.value, source, bytes);
    return word;
}

static void apply_signal(uint64_t *object, uint64_t value, bool add)
{
    if (add)
        __atomic_fetch_add(object, value, __ATOMIC_RELEASE);
    else
        __atomic_store_n(object, value, __ATOMIC_RELEASE);
}

static void take_put(const struct sheaf_ucx_arrival *arrival, const union sheaf_ucx_header *header)
{
    sheaf_ucx_store(sheaf_ucx_at(header->put.address), arrival->data, arrival->length);
    sheaf_ucx_owe(arrival->worker, arrival->origin, 1);
}

static void take_put_word(const struct sheaf_ucx_arrival *arrival,
                          const union sheaf_ucx_header *header)
{
    const struct sheaf_ucx_put_word *call = &header->put_word;
    sheaf_ucx_store(sheaf_ucx_at(call->put.address), &call->word.value, call->word.bytes);
    sheaf_ucx_owe(arrival->worker, arrival->origin, 1);
}

static void take_put_signal(const struct sheaf_ucx_arrival *arrival,
                            const union sheaf_ucx_header *header)
{
    const struct sheaf_ucx_put_signal *call = &header->put_signal;
    sheaf_ucx_store(sheaf_ucx_at(call->put.address), arrival->data, arrival->length);
    apply_signal((uint64_t *)sheaf_ucx_at(call->object), call->value, call->add);
    sheaf_ucx_owe(arrival->worker, arrival->origin, 1);
}

static void answer_data(const struct sheaf_ucx_arrival *arrival, struct sheaf_ucx_data header,
                        const void *source, size_t bytes)
{
    struct sheaf_ucx_operation *answer = sheaf_ucx_operation_get(arrival->worker, NULL);
    answer->header.data = header;
    sheaf_ucx_send_operation(answer, arrival->origin, SHEAF_UCX_DATA, source, bytes);
}

static void answer_word(const struct sheaf_ucx_arrival *arrival, uint64_t operation,
                        struct sheaf_ucx_word word)
{
    struct sheaf_ucx_operation *answer = sheaf_ucx_operation_get(arrival->worker, NULL);
    answer->header.result = (struct sheaf_ucx_result){operation, word};
    sheaf_ucx_send_operation(answer, arrival->origin, SHEAF_UCX_RESULT, NULL, 0);
}

static void take_get(const struct sheaf_ucx_arrival *arrival, const union sheaf_ucx_header *header)
{
    const struct sheaf_ucx_get *call = &header->get;
    if (call->bytes <= sizeof(uint64_t)) {
        answer_word(arrival, call->operation,
                    sheaf_ucx_word(sheaf_ucx_at(call->address), call->bytes));
        return;
    }
    for (size_t offset = 0; offset < call->bytes; offset += SHEAF_UCX_FRAGMENT) {
        size_t rest = call->bytes - offset;
        answer_data(arrival, (struct sheaf_ucx_data){call->operation, offset},
                    sheaf_ucx_at(call->address) + offset,
                    rest < SHEAF_UCX_FRAGMENT ? rest : SHEAF_UCX_FRAGMENT);
    }
}

static void take_amo(const struct sheaf_ucx_arrival *arrival, const union sheaf_ucx_header *header)
{
    const struct sheaf_ucx_amo *call = &header->amo;
    const struct sheaf_amo_call amo = {
        .operation = (enum sheaf_amo)call->code,
        .bytes = call->bytes,
        .object = sheaf_ucx_at(call->address),
        .operand = call->operand,
        .compare = call->compare,
    };
    uint64_t before = sheaf_amo_perform(amo.object, &amo);
    if (!call->operation) {
        sheaf_ucx_owe(arrival->worker, arrival->origin, 1);
        return;
    }
    answer_word(arrival, call->operation, (struct sheaf_ucx_word){before, call->bytes});
}

static void take_data(const struct sheaf_ucx_arrival *arrival, const union sheaf_ucx_header *header)
{
    struct sheaf_ucx_operation *asked = arrival->asked;
    sheaf_ucx_judge_get(asked);
    sheaf_ucx_store(asked->dest + header->data.offset, arrival->data, arrival->length);
    sheaf_ucx_operation_answered(asked, arrival->length);
}

static void take_result(const struct sheaf_ucx_arrival *arrival,
                        const union sheaf_ucx_header *header)
{
    sheaf_ucx_store(arrival->asked->dest, &header->result.word.value, header->result.word.bytes);
    sheaf_ucx_operation_answered(arrival->asked, header->result.word.bytes);
}

static void take_acknowledge(const struct sheaf_ucx_arrival *arrival,
                             const union sheaf_ucx_header *header)
{
    sheaf_ucx_count_ended(arrival->worker, &arrival->peer->acknowledged, header->acknowledge.count);
}

static void (*const take[SHEAF_UCX_MESSAGES])(const struct sheaf_ucx_arrival *,
                                              const union sheaf_ucx_header *) = {
    [SHEAF_UCX_PUT] = take_put,
    [SHEAF_UCX_PUT_WORD] = take_put_word,
    [SHEAF_UCX_PUT_SIGNAL] = take_put_signal,
    [SHEAF_UCX_GET] = take_get,
    [SHEAF_UCX_AMO] = take_amo,
    [SHEAF_UCX_ADD] = sheaf_ucx_take_add,
    [SHEAF_UCX_ROWS] = sheaf_ucx_take_rows,
    [SHEAF_UCX_GET_ROWS] = sheaf_ucx_take_get_rows,
    [SHEAF_UCX_ROWS_DATA] = sheaf_ucx_take_rows_data,
    [SHEAF_UCX_DONE] = sheaf_ucx_take_done,
    [SHEAF_UCX_DATA] = take_data,
    [SHEAF_UCX_RESULT] = take_result,
    [SHEAF_UCX_KEY] = sheaf_ucx_take_key,
    [SHEAF_UCX_KEY_DATA] = sheaf_ucx_take_key_data,
    [SHEAF_UCX_LANE] = sheaf_ucx_take_lane,
    [SHEAF_UCX_LANE_KEY] = sheaf_ucx_take_lane_key,
    [SHEAF_UCX_BATCH] = sheaf_ucx_take_batch,
    [SHEAF_UCX_BATCH_DATA] = sheaf_ucx_take_batch_data,
    [SHEAF_UCX_SEND] = sheaf_ucx_take_send,
    [SHEAF_UCX_SEND_WORD] = sheaf_ucx_take_send_word,
    [SHEAF_UCX_ACKNOWLEDGE] = take_acknowledge,
};

bool sheaf_ucx_deliver(struct sheaf_ucx_arrival *arrival, enum sheaf_ucx_message message,
                       const void *header, size_t header_length)
{
    struct sheaf_ucx_envelope envelope;
    memcpy(&envelope, header, header_length < sizeof envelope ? header_length : sizeof envelope);
    bool is_sound = sheaf_ucx_admit(arrival, message, &envelope, header_length);
    if (sheaf_likely(is_sound))
        take[message](arrival, &envelope.header);
    return is_sound;
}

/* UCX hands over bytes of any alignment, which are its own again on return. Where the sender asks first
 * there are none yet, and to return UCS_OK drops a message that is not being fetched. */
static ucs_status_t on_message(void *argument, const void *header, size_t header_length, void *data,
                               size_t length, const ucp_am_recv_param_t *param)
{
    const struct sheaf_ucx_handler *handler = argument;
    bool has_origin = param->recv_attr & UCP_AM_RECV_ATTR_FIELD_REPLY_EP;
    bool has_data = !(param->recv_attr & UCP_AM_RECV_ATTR_FLAG_RNDV);
    bool is_kept = false;
    struct sheaf_ucx_arrival arrival = {
        .worker = handler->worker,
        .origin = has_origin ? param->reply_ep : NULL,
        .data = has_data ? data : NULL,
        .length = length,
        .descriptor = has_data ? NULL : data,
        .is_kept = &is_kept,
    };
    sheaf_ucx_deliver(&arrival, handler->message, header, header_length);
    return is_kept ? UCS_INPROGRESS : UCS_OK;
}

ucs_status_t sheaf_ucx_serve(struct sheaf_ucx_worker *worker)
{
    ucs_status_t status = UCS_OK;
    for (unsigned id = 0; id < SHEAF_UCX_MESSAGES && status == UCS_OK; id++) {
        worker->handlers[id] = (struct sheaf_ucx_handler){worker, id};
        ucp_am_handler_param_t param = {
            .field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                          UCP_AM_HANDLER_PARAM_FIELD_ARG,
            .id = id,
            .cb = on_message,
            .arg = &worker->handlers[id],
        };
        status = sheaf_ucx.ucp_worker_set_am_recv_handler(worker->ucp, &param);
    }
    return status;
}
