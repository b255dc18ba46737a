/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Batches that arrive: entries carried out one after the other, and what they ask for sent back in one
 * message. Runs as the rest of serve.c does: nothing here may wait.
 */
#include "engine/message/batch/buffers.h"

#include "engine/perform.h"

#include <stdlib.h>
#include <string.h>

/* Reads entries and writes what they ask for; counts those that write here and ask for nothing. */
struct carrier {
    const unsigned char *at;
    unsigned char *answer;
    uint64_t writes;
};

static uint64_t next_word(struct carrier *carrier)
{
    uint64_t word;
    memcpy(&word, carrier->at, 8);
    carrier->at += 8;
    return word;
}

static void answer(struct carrier *carrier, const void *source, size_t bytes)
{
    sheaf_msg_store(carrier->answer, source, bytes);
    carrier->answer += sheaf_msg_words(bytes);
}

/* Behind what came before, as others see it: a flag after its data. */
static void put(struct carrier *carrier, unsigned char *dest, size_t bytes)
{
    sheaf_fence_stores();
    sheaf_msg_store(dest, carrier->at, bytes);
    carrier->at += sheaf_msg_words(bytes);
    carrier->writes++;
}

static void perform(struct carrier *carrier, void *object, unsigned what)
{
    struct sheaf_amo_call amo = {
        .operation = (enum sheaf_amo)(what & SHEAF_MSG_AMO_OPERATION),
        .bytes = what & SHEAF_MSG_AMO_IS_LONG ? 8 : 4,
        .object = object,
        .operand = 1,
    };
    if (!(what & SHEAF_MSG_AMO_IS_ONE) && amo.operation != SHEAF_AMO_FETCH)
        amo.operand = next_word(carrier);
    if (amo.operation == SHEAF_AMO_COMPARE_SWAP)
        amo.compare = next_word(carrier);
    uint64_t before = sheaf_amo_perform(object, &amo);
    if (what & SHEAF_MSG_AMO_HAS_REPLY)
        answer(carrier, &before, 8);
    else
        carrier->writes++;
}

static size_t bytes_of(unsigned what)
{
    return (what & SHEAF_MSG_ENTRY_BYTES) + 1;
}

static void do_entry(struct carrier *carrier)
{
    uint64_t head = next_word(carrier);
    unsigned char *object = sheaf_msg_at(head & SHEAF_MSG_ENTRY_ADDRESS);
    unsigned what = (unsigned)(head >> 48);
    if ((what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_PUT)
        put(carrier, object, bytes_of(what));
    else if ((what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_GET)
        answer(carrier, object, bytes_of(what));
    else
        perform(carrier, object, what);
}

/* Of an entry: the bytes behind its head. */
static size_t operand_bytes(unsigned what)
{
    unsigned operation = what & SHEAF_MSG_AMO_OPERATION;
    switch (what & SHEAF_MSG_ENTRY_KIND) {
    case SHEAF_MSG_ENTRY_PUT:
        return sheaf_msg_words(bytes_of(what));
    case SHEAF_MSG_ENTRY_GET:
        return 0;
    }
    if (what & SHEAF_MSG_AMO_IS_ONE || operation == SHEAF_AMO_FETCH)
        return operation == SHEAF_AMO_COMPARE_SWAP ? 8 : 0;
    return operation == SHEAF_AMO_COMPARE_SWAP ? 16 : 8;
}

/* Of an entry: the bytes of its result. */
static size_t result_bytes(unsigned what)
{
    if ((what & SHEAF_MSG_ENTRY_KIND) == SHEAF_MSG_ENTRY_GET)
        return bytes_of(what);
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

/* Of an entry: the bytes of its object, which is aligned to them for atomic operations; 0 where it is no
 * entry. */
static size_t object_bytes(uint64_t head)
{
    unsigned what = (unsigned)(head >> 48);
    if ((what & SHEAF_MSG_ENTRY_KIND) <= SHEAF_MSG_ENTRY_GET)
        return bytes_of(what);
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
            !sheaf_msg_is_mine(head & SHEAF_MSG_ENTRY_ADDRESS, bytes, is_read(what)))
            return false;
        answer_bytes += sheaf_msg_words(result_bytes(what));
        at += operands;
    }
    return answer_bytes == header->batch.answer_bytes && answer_bytes <= SHEAF_MSG_MOST_ANSWER &&
           (answer_bytes > 0) == (header->batch.operation != 0);
}

/* Atomic instructions wait for each other, and for memory one after the other: where the objects of some
 * entries are asked for first, it is fetched for all at once. Returns where these entries end. */
#define AHEAD 16
static const unsigned char *fetch_ahead(const unsigned char *at, const unsigned char *end)
{
    for (int i = 0; i < AHEAD && at < end; i++) {
        uint64_t head;
        memcpy(&head, at, 8);
        __builtin_prefetch(sheaf_msg_at(head & SHEAF_MSG_ENTRY_ADDRESS), 1);
        at += 8 + operand_bytes((unsigned)(head >> 48));
    }
    return at;
}

/* Returns how many writes there were. */
static uint64_t carry_out(struct carrier carrier, const unsigned char *end)
{
    while (carrier.at < end)
        for (const unsigned char *stop = fetch_ahead(carrier.at, end); carrier.at < stop;)
            do_entry(&carrier);
    return carrier.writes;
}

void sheaf_msg_take_batch(const struct sheaf_msg_arrival *arrival,
                          const union sheaf_msg_header *header)
{
    const struct sheaf_msg_batch_call *call = &header->batch;
    unsigned char *packed = NULL;
    if (call->operation && !(packed = malloc(call->answer_bytes)))
        sheaf_msg_failed(sheaf_msg_state.job.pe, "batch", "no memory");
    uint64_t writes = carry_out((struct carrier){.at = arrival->data, .answer = packed},
                                arrival->data + arrival->length);
    if (!call->operation) {
        sheaf_msg_owe(arrival, writes);
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

/* The entries are still there, and say how long each result is. */
static void deliver(const struct sheaf_msg_batches *batches, struct sheaf_msg_batch *batch,
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
        memcpy(&dest, sheaf_msg_batch_place(batches, batch, i++), 8);
        sheaf_msg_store(dest, data, bytes);
        data += sheaf_msg_words(bytes);
    }
}

void sheaf_msg_take_batch_data(const struct sheaf_msg_arrival *arrival,
                               const union sheaf_msg_header *header)
{
    (void)header;
    deliver(arrival->worker->batches, arrival->asked->batch, arrival->data);
    sheaf_msg_operation_answered(arrival->asked, arrival->length);
}
