/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Batches that arrive: carries out their entries one after the other, and sends the results back in one
 * message. As in serve.c, nothing here may wait.
 */
#include "engine/message/batch/buffers.h"

#include "engine/perform.h"

#include <stdlib.h>
#include <string.h>

/* Reads entries, writes their results, and counts entries that write here without a result. */
struct reader {
    const unsigned char *at;
    unsigned char *answer;
    uint64_t writes;
};

static uint64_t next_word(struct reader *reader)
{
    uint64_t word;
    memcpy(&word, reader->at, 8);
    reader->at += 8;
    return word;
}

static void append_answer(struct reader *reader, const void *source, size_t bytes)
{
    sheaf_msg_store(reader->answer, source, bytes);
    reader->answer += sheaf_msg_words(bytes);
}

/* Stored after earlier entries, as other PEs see it: a flag after its data. */
static void store_put(struct reader *reader, unsigned char *dest, size_t bytes)
{
    sheaf_fence_stores();
    sheaf_msg_store(dest, reader->at, bytes);
    reader->at += sheaf_msg_words(bytes);
    reader->writes++;
}

static void perform_amo(struct reader *reader, void *object, unsigned what)
{
    struct sheaf_amo_call amo = {
        .operation = (enum sheaf_amo)(what & SHEAF_MSG_AMO_OPERATION),
        .bytes = what & SHEAF_MSG_AMO_IS_LONG ? 8 : 4,
        .object = object,
        .operand = 1,
    };
    if (!(what & SHEAF_MSG_AMO_IS_ONE) && amo.operation != SHEAF_AMO_FETCH)
        amo.operand = next_word(reader);
    if (amo.operation == SHEAF_AMO_COMPARE_SWAP)
        amo.compare = next_word(reader);
    uint64_t before = sheaf_amo_perform(object, &amo);
    if (what & SHEAF_MSG_AMO_HAS_REPLY)
        append_answer(reader, &before, 8);
    else
        reader->writes++;
}

static size_t entry_bytes(unsigned what)
{
    return (what & SHEAF_MSG_ENTRY_BYTES) + 1;
}

static void do_entry(struct reader *reader)
{
    uint64_t head = next_word(reader);
    unsigned char *object = sheaf_msg_at(head & SHEAF_MSG_ENTRY_ADDRESS);
    unsigned what = (unsigned)(head >> 48);
    if ((what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_PUT)
        store_put(reader, object, entry_bytes(what));
    else if ((what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_GET)
        append_answer(reader, object, entry_bytes(what));
    else
        perform_amo(reader, object, what);
}

/* Bytes of an entry after its head. */
static size_t operand_bytes(unsigned what)
{
    unsigned operation = what & SHEAF_MSG_AMO_OPERATION;
    switch (what & SHEAF_MSG_ENTRY_KIND) {
    case SHEAF_MSG_ENTRY_PUT:
        return sheaf_msg_words(entry_bytes(what));
    case SHEAF_MSG_ENTRY_GET:
        return 0;
    }
    if (what & SHEAF_MSG_AMO_IS_ONE || operation == SHEAF_AMO_FETCH)
        return operation == SHEAF_AMO_COMPARE_SWAP ? 8 : 0;
    return operation == SHEAF_AMO_COMPARE_SWAP ? 16 : 8;
}

/* Bytes of an entry's result. */
static size_t result_bytes(unsigned what)
{
    if ((what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_GET)
        return entry_bytes(what);
    if ((what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_AMO && what & SHEAF_MSG_AMO_HAS_REPLY)
        return what & SHEAF_MSG_AMO_IS_LONG ? 8 : 4;
    return 0;
}

static bool is_operation(unsigned what)
{
    const unsigned known = SHEAF_MSG_AMO_OPERATION | SHEAF_MSG_AMO_IS_LONG | SHEAF_MSG_AMO_IS_ONE |
                           SHEAF_MSG_AMO_HAS_REPLY;
    return (what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_AMO &&
           !(what & ~(SHEAF_MSG_ENTRY_KIND | known));
}

static bool is_read(unsigned what)
{
    return (what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_GET ||
           ((what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_AMO &&
            (what & SHEAF_MSG_AMO_OPERATION) == SHEAF_AMO_FETCH);
}

/* Bytes of an entry's object, which is aligned to them for atomic operations; 0: this is no entry. */
static size_t object_bytes(uint64_t head)
{
    unsigned what = (unsigned)(head >> 48);
    if ((what & SHEAF_MSG_ENTRY_KIND) <= SHEAF_MSG_ENTRY_GET)
        return entry_bytes(what);
    size_t bytes = what & SHEAF_MSG_AMO_IS_LONG ? 8 : 4;
    return is_operation(what) && head % bytes == 0 ? bytes : 0;
}

bool sheaf_msg_admit_batch(const struct sheaf_msg_arrival *arrival,
                           const union sheaf_msg_header *header)
{
    if (arrival->length == 0)
        return false;
    const unsigned char *at = arrival->data, *end = at + arrival->length;
    size_t answer_bytes = 0;
    while (at < end) {
        uint64_t head;
        if (end - at < 8)
            return false;
        memcpy(&head, at, 8);
        unsigned what = (unsigned)(head >> 48);
        size_t bytes = object_bytes(head), operands = 8 + operand_bytes(what);
        if (bytes == 0 || operands > (size_t)(end - at) ||
            !sheaf_msg_is_symmetric(head & SHEAF_MSG_ENTRY_ADDRESS, bytes, is_read(what)))
            return false;
        answer_bytes += sheaf_msg_words(result_bytes(what));
        at += operands;
    }
    return answer_bytes == header->batch.answer_bytes && answer_bytes <= SHEAF_MSG_MOST_ANSWER &&
           (answer_bytes > 0) == (header->batch.operation != 0);
}

/* Prefetches the objects of the next AHEAD entries, and returns the end of these. Atomic instructions wait
 * for each other, so without this each would wait for memory in turn. */
#define AHEAD 16
static const unsigned char *prefetch_objects(const unsigned char *at, const unsigned char *end)
{
    for (int i = 0; i < AHEAD && at < end; i++) {
        uint64_t head;
        memcpy(&head, at, 8);
        __builtin_prefetch(sheaf_msg_at(head & SHEAF_MSG_ENTRY_ADDRESS), 1);
        at += 8 + operand_bytes((unsigned)(head >> 48));
    }
    return at;
}

/* Returns the number of writes. */
static uint64_t carry_out_entries(struct reader reader, const unsigned char *end)
{
    while (reader.at < end)
        for (const unsigned char *stop = prefetch_objects(reader.at, end); reader.at < stop;)
            do_entry(&reader);
    return reader.writes;
}

void sheaf_msg_handle_batch(const struct sheaf_msg_arrival *arrival,
                            const union sheaf_msg_header *header)
{
    const struct sheaf_msg_batch_call *call = &header->batch;
    unsigned char *packed = NULL;
    if (call->operation && !(packed = malloc(call->answer_bytes)))
        sheaf_msg_failed(sheaf_msg_state.job.pe, "batch", "no memory");
    uint64_t writes = carry_out_entries((struct reader){.at = arrival->data, .answer = packed},
                                        arrival->data + arrival->length);
    if (!call->operation) {
        sheaf_msg_add_pending_ack(arrival, writes);
        return;
    }
    sheaf_msg_count_writes(arrival->worker, writes);
    sheaf_fence_stores();
    struct sheaf_msg_operation *reply = sheaf_msg_operation_get(arrival->worker, NULL);
    reply->header.done = (struct sheaf_msg_done){call->operation};
    reply->packed = packed;
    sheaf_msg_send_operation(reply, arrival->origin, SHEAF_MSG_BATCH_DATA, packed,
                             call->answer_bytes);
}

/* The batch still holds the entries, which tell how long each result is. */
static void deliver_results(const struct sheaf_msg_batches *batches, struct sheaf_msg_batch *batch,
                            const unsigned char *data)
{
    const unsigned char *at = batch->bytes;
    for (size_t i = 0; i < batch->results;) {
        uint64_t head;
        unsigned char *dest;
        memcpy(&head, at, 8);
        unsigned what = (unsigned)(head >> 48);
        size_t bytes = result_bytes(what);
        at += 8 + operand_bytes(what);
        if (bytes == 0)
            continue;
        memcpy(&dest, sheaf_msg_batch_result_address(batches, batch, i++), 8);
        sheaf_msg_store(dest, data, bytes);
        data += sheaf_msg_words(bytes);
    }
}

void sheaf_msg_handle_batch_data(const struct sheaf_msg_arrival *arrival,
                                 const union sheaf_msg_header *header)
{
    (void)header;
    deliver_results(arrival->worker->batches, arrival->asked->batch, arrival->data);
    sheaf_msg_operation_answered(arrival->asked, arrival->length);
}
