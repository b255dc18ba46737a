/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What arrives: puts are stored, gets and atomic operations answered, answers delivered. Runs within
 * a turn of a worker, under its lock, on whatever thread takes the turn; so nothing here may wait.
 */
#include "engine/message/batch/batch.h"
#include "engine/message/direct/lanes.h"
#include "engine/message/serve/serve.h"

#include "base/atomic.h"
#include "base/probe.h"
#include "engine/perform.h"

#include <stdlib.h>
#include <string.h>

static void take_put(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    sheaf_msg_store(sheaf_msg_at(header->put.address), arrival->data, arrival->length);
    sheaf_msg_owe(arrival, 1);
}

static void take_put_word(const struct sheaf_msg_arrival *arrival,
                          const union sheaf_msg_header *header)
{
    const struct sheaf_msg_put_word *call = &header->put_word;
    sheaf_msg_store(sheaf_msg_at(call->put.address), &call->word.value, call->word.bytes);
    sheaf_msg_owe(arrival, 1);
}

static void take_put_signal(const struct sheaf_msg_arrival *arrival,
                            const union sheaf_msg_header *header)
{
    const struct sheaf_msg_put_signal *call = &header->put_signal;
    sheaf_msg_store(sheaf_msg_at(call->put.address), arrival->data, arrival->length);
    sheaf_signal_perform((uint64_t *)sheaf_msg_at(call->object), call->value, call->add);
    sheaf_msg_owe(arrival, 1);
}

static void answer_data(const struct sheaf_msg_arrival *arrival, struct sheaf_msg_data header,
                        const void *source, size_t bytes)
{
    struct sheaf_msg_operation *answer = sheaf_msg_operation_get(arrival->worker, NULL);
    answer->header.data = header;
    sheaf_msg_send_operation(answer, arrival->origin, SHEAF_MSG_DATA, source, bytes);
}

static void answer_word(const struct sheaf_msg_arrival *arrival, uint64_t operation,
                        struct sheaf_msg_word word)
{
    struct sheaf_msg_operation *answer = sheaf_msg_operation_get(arrival->worker, NULL);
    answer->header.result = (struct sheaf_msg_result){operation, word};
    sheaf_msg_send_operation(answer, arrival->origin, SHEAF_MSG_RESULT, NULL, 0);
}

static void take_get(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct sheaf_msg_get *call = &header->get;
    if (call->bytes <= sizeof(uint64_t)) {
        answer_word(arrival, call->operation,
                    sheaf_msg_word(sheaf_msg_at(call->address), call->bytes));
        return;
    }
    size_t most = sheaf_msg_state.longest;
    for (size_t offset = 0; offset < call->bytes; offset += most) {
        size_t rest = call->bytes - offset;
        answer_data(arrival, (struct sheaf_msg_data){call->operation, offset},
                    sheaf_msg_at(call->address) + offset,
                    rest < most ? rest : most);
    }
}

static void take_amo(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct sheaf_msg_amo *call = &header->amo;
    const struct sheaf_amo_call amo = {
        .operation = (enum sheaf_amo)call->code,
        .bytes = call->bytes,
        .object = sheaf_msg_at(call->address),
        .operand = call->operand,
        .compare = call->compare,
    };
    uint64_t before = sheaf_amo_perform(amo.object, &amo);
    if (!call->operation) {
        sheaf_msg_owe(arrival, 1);
        return;
    }
    answer_word(arrival, call->operation, (struct sheaf_msg_word){before, call->bytes});
}

static void take_data(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    struct sheaf_msg_operation *asked = arrival->asked;
    sheaf_msg_judge_get(asked);
    sheaf_msg_store(asked->dest + header->data.offset, arrival->data, arrival->length);
    sheaf_msg_operation_answered(asked, arrival->length);
}

static void take_result(const struct sheaf_msg_arrival *arrival,
                        const union sheaf_msg_header *header)
{
    sheaf_msg_store(arrival->asked->dest, &header->result.word.value, header->result.word.bytes);
    sheaf_msg_operation_answered(arrival->asked, header->result.word.bytes);
}

static void count_acknowledged(const struct sheaf_msg_arrival *arrival, uint64_t count)
{
    sheaf_msg_count_ended(arrival->worker, &arrival->peer->acknowledged, count);
}

static void take_acknowledge(const struct sheaf_msg_arrival *arrival,
                             const union sheaf_msg_header *header)
{
    count_acknowledged(arrival, header->acknowledge.count);
}

static void (*const take[SHEAF_MSG_KINDS])(const struct sheaf_msg_arrival *,
                                              const union sheaf_msg_header *) = {
    [SHEAF_MSG_PUT] = take_put,
    [SHEAF_MSG_PUT_WORD] = take_put_word,
    [SHEAF_MSG_PUT_SIGNAL] = take_put_signal,
    [SHEAF_MSG_GET] = take_get,
    [SHEAF_MSG_AMO] = take_amo,
    [SHEAF_MSG_ADD] = sheaf_msg_take_add,
    [SHEAF_MSG_ROWS] = sheaf_msg_take_rows,
    [SHEAF_MSG_GET_ROWS] = sheaf_msg_take_get_rows,
    [SHEAF_MSG_ROWS_DATA] = sheaf_msg_take_rows_data,
    [SHEAF_MSG_DONE] = sheaf_msg_take_done,
    [SHEAF_MSG_DATA] = take_data,
    [SHEAF_MSG_RESULT] = take_result,
    [SHEAF_MSG_KEY] = sheaf_msg_take_key,
    [SHEAF_MSG_KEY_DATA] = sheaf_msg_take_key_data,
    [SHEAF_MSG_LANE] = sheaf_msg_take_lane,
    [SHEAF_MSG_LANE_KEY] = sheaf_msg_take_lane_key,
    [SHEAF_MSG_BATCH] = sheaf_msg_take_batch,
    [SHEAF_MSG_BATCH_DATA] = sheaf_msg_take_batch_data,
    [SHEAF_MSG_SEND] = sheaf_msg_take_send,
    [SHEAF_MSG_SEND_WORD] = sheaf_msg_take_send_word,
    [SHEAF_MSG_ACKNOWLEDGE] = take_acknowledge,
};

static struct sheaf_msg_arrival arrival_at(void *worker, const struct sheaf_transport_arrival *from)
{
    return (struct sheaf_msg_arrival){
        .worker = worker,
        .origin = from->origin,
        .data = from->data,
        .length = from->bytes,
        .waiting = from->waiting,
    };
}

/* The transport hands over bytes of any alignment. */
static void read_envelope(const struct sheaf_transport_arrival *from, struct sheaf_msg_envelope *envelope)
{
    memcpy(envelope, from->header,
           from->header_bytes < sizeof *envelope ? from->header_bytes : sizeof *envelope);
}

/* What it acknowledges counts when the data is here. */
void *sheaf_msg_place(void *worker, const struct sheaf_transport_arrival *from)
{
    struct sheaf_msg_envelope envelope;
    struct sheaf_msg_arrival arrival = arrival_at(worker, from);
    arrival.is_due = true;
    read_envelope(from, &envelope);
    if (!sheaf_msg_admit(&arrival, &envelope, from->header_bytes))
        return NULL;
    switch (envelope.seal.kind) {
    case SHEAF_MSG_DATA:
        return arrival.asked->dest + envelope.header.data.offset;
    case SHEAF_MSG_PUT_SIGNAL:
        return sheaf_msg_at(envelope.header.put_signal.put.address);
    default:
        return sheaf_msg_at(envelope.header.put.address);
    }
}

/* Once its death is told a process changes nothing any more, whoever has its place then. One that is newer
 * than what has been heard here is heard of soon. */
static bool is_of_dead(const struct sheaf_msg_envelope *envelope)
{
    const struct sheaf_msg_seal *seal = &envelope->seal;
    return seal->origin < (uint32_t)sheaf_msg_state.job.npes &&
           (seal->from & ~1U) < sheaf_msg_state.job.incarnation_state((int)seal->origin);
}

bool sheaf_msg_arrived(void *worker, const struct sheaf_transport_arrival *from)
{
    struct sheaf_msg_envelope envelope;
    bool is_kept = false;
    struct sheaf_msg_arrival arrival = arrival_at(worker, from);
    arrival.is_kept = &is_kept;
    read_envelope(from, &envelope);
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_msg_state.deaths)) && is_of_dead(&envelope))
        return false;
    if (sheaf_likely(sheaf_msg_admit(&arrival, &envelope, from->header_bytes))) {
        if (arrival.acknowledges)
            count_acknowledged(&arrival, arrival.acknowledges);
        SHEAF_PROBE3(message_arrived, envelope.seal.kind, arrival.length, arrival.origin);
        sheaf_msg_count_message(envelope.seal.kind, false, arrival.length);
        take[envelope.seal.kind](&arrival, &envelope.header);
    }
    return is_kept;
}
