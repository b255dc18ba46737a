/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Carries out messages that arrive: stores puts, answers gets and atomic operations, delivers answers.
 * Runs within a turn of a worker, under its lock, on any thread; so nothing here may wait.
 */
#include "engine/message/batch/batch.h"
#include "engine/message/direct/lanes.h"
#include "engine/message/serve/serve.h"

#include "base/atomic.h"
#include "base/probe.h"
#include "engine/perform.h"

#include <stdlib.h>
#include <string.h>

static void handle_put(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    sheaf_msg_store(sheaf_msg_at(header->put.address), arrival->data, arrival->length);
    sheaf_msg_add_pending_ack(arrival, 1);
}

/* Messages are carried out in order, so an acknowledgement of the put's last one is enough. */
static void handle_put_part(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    sheaf_msg_store(sheaf_msg_at(header->put.address), arrival->data, arrival->length);
    sheaf_msg_count_writes(arrival->worker, 1);
}

static void handle_put_word(const struct sheaf_msg_arrival *arrival,
                            const union sheaf_msg_header *header)
{
    const struct sheaf_msg_put_word *call = &header->put_word;
    sheaf_msg_store(sheaf_msg_at(call->put.address), &call->word.value, call->word.bytes);
    sheaf_msg_add_pending_ack(arrival, 1);
}

static void handle_put_signal(const struct sheaf_msg_arrival *arrival,
                              const union sheaf_msg_header *header)
{
    const struct sheaf_msg_put_signal *call = &header->put_signal;
    sheaf_msg_store(sheaf_msg_at(call->put.address), arrival->data, arrival->length);
    sheaf_signal_perform((uint64_t *)sheaf_msg_at(call->object), call->value, call->add);
    sheaf_msg_add_pending_ack(arrival, 1);
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

/* Of answers to that PE: the most data of a message, and the data of the last one (transport.h). */
struct answer_parts {
    size_t longest, last;
};

static struct answer_parts answer_parts(const sheaf_transport_link *origin)
{
    const struct sheaf_transport *transport = sheaf_msg_state.transport;
    struct sheaf_transport_abilities abilities;
    if (!transport->link_abilities)
        return (struct answer_parts){sheaf_msg_state.longest, sheaf_msg_state.last_part};
    transport->link_abilities(origin, NULL, 0, &abilities);
    return (struct answer_parts){sheaf_msg_longest(abilities.longest), abilities.last_part};
}

static void handle_get(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct sheaf_msg_get *call = &header->get;
    if (call->bytes <= sizeof(uint64_t)) {
        answer_word(arrival, call->operation,
                    sheaf_msg_word(sheaf_msg_at(call->address), call->bytes));
        return;
    }
    struct answer_parts parts = answer_parts(arrival->origin);
    for (size_t offset = 0, part; offset < call->bytes; offset += part) {
        part = sheaf_msg_next_part(parts.longest, parts.last, call->bytes - offset);
        answer_data(arrival, (struct sheaf_msg_data){call->operation, offset},
                    sheaf_msg_at(call->address) + offset, part);
    }
}

static uint64_t perform_amo(const struct sheaf_msg_amo *call)
{
    const struct sheaf_amo_call amo = {
        .operation = (enum sheaf_amo)call->code,
        .bytes = call->bytes,
        .object = sheaf_msg_at(call->address),
        .operand = call->operand,
        .compare = call->compare,
    };
    return sheaf_amo_perform(amo.object, &amo);
}

static void handle_amo(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    const struct sheaf_msg_amo *call = &header->amo;
    uint64_t before = perform_amo(call);
    if (!call->operation) {
        sheaf_msg_add_pending_ack(arrival, 1);
        return;
    }
    answer_word(arrival, call->operation, (struct sheaf_msg_word){before, call->bytes});
}

static void handle_amo_part(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    perform_amo(&header->amo);
    sheaf_msg_count_writes(arrival->worker, 1);
}

static void handle_ask(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    (void)header;
    sheaf_msg_add_pending_ack(arrival, 0);
}

static void handle_data(const struct sheaf_msg_arrival *arrival, const union sheaf_msg_header *header)
{
    struct sheaf_msg_operation *asked = arrival->asked;
    sheaf_msg_settle_get_bet(asked);
    sheaf_msg_store(asked->dest + header->data.offset, arrival->data, arrival->length);
    sheaf_msg_operation_answered(asked, arrival->length);
}

static void handle_result(const struct sheaf_msg_arrival *arrival,
                          const union sheaf_msg_header *header)
{
    sheaf_msg_store(arrival->asked->dest, &header->result.word.value, header->result.word.bytes);
    sheaf_msg_operation_answered(arrival->asked, header->result.word.bytes);
}

static void count_acknowledged(const struct sheaf_msg_arrival *arrival, uint64_t count)
{
    sheaf_msg_count_ended(arrival->worker, &arrival->peer->acknowledged, count);
}

static void handle_acknowledge(const struct sheaf_msg_arrival *arrival,
                               const union sheaf_msg_header *header)
{
    count_acknowledged(arrival, header->acknowledge.count);
}

static void (*const handlers[SHEAF_MSG_KINDS])(const struct sheaf_msg_arrival *,
                                              const union sheaf_msg_header *) = {
    [SHEAF_MSG_PUT] = handle_put,
    [SHEAF_MSG_PUT_PART] = handle_put_part,
    [SHEAF_MSG_PUT_WORD] = handle_put_word,
    [SHEAF_MSG_PUT_SIGNAL] = handle_put_signal,
    [SHEAF_MSG_GET] = handle_get,
    [SHEAF_MSG_AMO] = handle_amo,
    [SHEAF_MSG_AMO_PART] = handle_amo_part,
    [SHEAF_MSG_ASK] = handle_ask,
    [SHEAF_MSG_ADD] = sheaf_msg_handle_add,
    [SHEAF_MSG_ADD_PART] = sheaf_msg_handle_add_part,
    [SHEAF_MSG_ROWS] = sheaf_msg_handle_rows,
    [SHEAF_MSG_GET_ROWS] = sheaf_msg_handle_get_rows,
    [SHEAF_MSG_ROWS_DATA] = sheaf_msg_handle_rows_data,
    [SHEAF_MSG_DONE] = sheaf_msg_handle_done,
    [SHEAF_MSG_DATA] = handle_data,
    [SHEAF_MSG_RESULT] = handle_result,
    [SHEAF_MSG_KEY] = sheaf_msg_handle_key,
    [SHEAF_MSG_KEY_DATA] = sheaf_msg_handle_key_data,
    [SHEAF_MSG_LANE] = sheaf_msg_handle_lane,
    [SHEAF_MSG_LANE_KEY] = sheaf_msg_handle_lane_key,
    [SHEAF_MSG_BATCH] = sheaf_msg_handle_batch,
    [SHEAF_MSG_BATCH_DATA] = sheaf_msg_handle_batch_data,
    [SHEAF_MSG_SEND] = sheaf_msg_handle_send,
    [SHEAF_MSG_SEND_WORD] = sheaf_msg_handle_send_word,
    [SHEAF_MSG_ACKNOWLEDGE] = handle_acknowledge,
    [SHEAF_MSG_CREDIT] = sheaf_msg_handle_credit,
};

static struct sheaf_msg_arrival make_arrival(void *worker, const struct sheaf_transport_arrival *from)
{
    return (struct sheaf_msg_arrival){
        .worker = worker,
        .origin = from->origin,
        .data = from->data,
        .length = from->bytes,
        .waiting = from->waiting,
    };
}

/* The transport passes bytes of any alignment. */
static void read_envelope(const struct sheaf_transport_arrival *from, struct sheaf_msg_envelope *envelope)
{
    memcpy(envelope, from->header,
           from->header_bytes < sizeof *envelope ? from->header_bytes : sizeof *envelope);
}

/* The acknowledgements that the message carries count when its data is here. */
void *sheaf_msg_destination(void *worker, const struct sheaf_transport_arrival *from)
{
    struct sheaf_msg_envelope envelope;
    struct sheaf_msg_arrival arrival = make_arrival(worker, from);
    arrival.is_due = true;
    read_envelope(from, &envelope);
    if (!sheaf_msg_admit(&arrival, &envelope, from->header_bytes))
        return NULL;
    switch (envelope.common.kind) {
    case SHEAF_MSG_DATA:
        return arrival.asked->dest + envelope.header.data.offset;
    case SHEAF_MSG_PUT_SIGNAL:
        return sheaf_msg_at(envelope.header.put_signal.put.address);
    default:
        return sheaf_msg_at(envelope.header.put.address);
    }
}

/* Whether the sender's process counts as dead. Once its death is reported a process changes nothing any
 * more, even if a new process has replaced it. A process newer than those known here is reported soon. */
static bool is_of_dead(const struct sheaf_msg_envelope *envelope)
{
    const struct sheaf_msg_common_header *common = &envelope->common;
    return common->origin < (uint32_t)sheaf_msg_state.job.npes &&
           (common->from & ~1U) < sheaf_msg_state.job.incarnation_state((int)common->origin);
}

bool sheaf_msg_arrived(void *worker, const struct sheaf_transport_arrival *from)
{
    struct sheaf_msg_envelope envelope;
    bool is_fetched_later = false;
    struct sheaf_msg_arrival arrival = make_arrival(worker, from);
    arrival.is_fetched_later = &is_fetched_later;
    read_envelope(from, &envelope);
    if (sheaf_unlikely(sheaf_load_relaxed(&sheaf_msg_state.deaths)) && is_of_dead(&envelope))
        return false;
    if (sheaf_likely(sheaf_msg_admit(&arrival, &envelope, from->header_bytes))) {
        if (arrival.acknowledges)
            count_acknowledged(&arrival, arrival.acknowledges);
        SHEAF_PROBE3(message_arrived, envelope.common.kind, arrival.length, arrival.origin);
        sheaf_msg_count_message(envelope.common.kind, false, arrival.length);
        handlers[envelope.common.kind](&arrival, &envelope.header);
        if (arrival.length && arrival.origin && !arrival.asked && worker == sheaf_msg_state.service)
            sheaf_msg_use_credit(&arrival);
    }
    return is_fetched_later;
}
