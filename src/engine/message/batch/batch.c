/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts small operations into a batch, each as an entry of some words (wire.h) instead of a message. Data
 * of puts is copied, so a blocking put may return.
 */
#include "engine/message/batch/buffers.h"

#include <string.h>

/* In bytes. A larger put or get is a message of its own. So is one of which a buffer does not hold two. */
#define LARGEST 4096

/* In bytes: an entry of this size or more is long (batches.c). */
#define LONG 64

/* Strided puts with more blocks, or bytes, go packed, which needs no word per block. */
#define MOST_BLOCKS  32
#define LARGEST_ROWS 1024

__thread bool sheaf_msg_batch_is_mine;

/* An entry: its room in the batch, and in the answer. */
struct entry {
    uint64_t head;
    size_t bytes;        /* with the head, whole words */
    void *result;        /* its destination; NULL: there is none */
    size_t answer_bytes; /* whole words */
};

static struct entry make_entry(const struct sheaf_msg_peer *peer, unsigned what, const void *object,
                               size_t bytes)
{
    uint64_t head = sheaf_msg_remote(peer, object) | (uint64_t)what << 48;
    return (struct entry){.head = head, .bytes = 8 + sheaf_msg_words(bytes)};
}

static bool has_short_address(const struct sheaf_msg_peer *peer, const void *object)
{
    return sheaf_likely(sheaf_msg_remote(peer, object) <= SHEAF_MSG_ENTRY_ADDRESS);
}

static bool fits_entry(const struct sheaf_msg_batches *batches, const struct sheaf_msg_batch *batch,
                       const struct entry *entry)
{
    size_t results = batch->results + (entry->result != NULL);
    size_t room = entry->bytes < LONG ? batches->full : batches->capacity;
    return batch->used + entry->bytes + 8 * results <= room &&
           batch->answer_bytes + entry->answer_bytes <= SHEAF_MSG_MOST_ANSWER;
}

/* What has become of an entry. */
enum outcome {
    APPENDED,
    NO_ROOM,  /* all buffers are under way: try later */
    NO_MEMORY /* not even for one buffer */
};

/* With the lock. *at: address for the entry's operands. */
static enum outcome append_entry(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                                 const struct entry *entry, unsigned char **at)
{
    struct sheaf_msg_batches *batches = worker->batches;
    struct sheaf_msg_batch *batch = peer->batch;
    if (sheaf_unlikely(!batch || !fits_entry(batches, batch, entry)))
        batch = sheaf_msg_batch_next(worker, peer);
    if (sheaf_unlikely(!batch))
        return batches->made ? NO_ROOM : NO_MEMORY;
    *at = batch->bytes + batch->used;
    memcpy(*at, &entry->head, 8);
    *at += 8;
    batch->used += (uint32_t)entry->bytes;
    if (entry->result) {
        memcpy(sheaf_msg_batch_result_address(batches, batch, batch->results++), &entry->result, 8);
        batch->answer_bytes += (uint32_t)entry->answer_bytes;
    }
    sheaf_msg_batch_is_mine = true;
    return APPENDED;
}

static bool must_wait(const struct sheaf_msg_peer *peer)
{
    return peer->batch || (sheaf_msg_state.aggregates && sheaf_pace_aggregates(sheaf_msg_traffic(peer)));
}

/* Takes the lock and returns true if an operation on peer goes into its batch. In a session every
 * operation does; else an operation that would be a message, behind others that wait or are under way. The
 * lock stays held, so that the answer stays valid. */
static bool enter_batch(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer, bool is_message)
{
    sheaf_owner_lock_enter(&worker->batches->lock);
    if (sheaf_likely(worker->is_batching || (is_message && must_wait(peer))))
        return true;
    sheaf_owner_lock_leave(&worker->batches->lock);
    return false;
}

/* Returns whether the batch handles the operation. */
static bool leave_batch(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer,
                        enum outcome outcome, bool *started)
{
    if (outcome == APPENDED && !worker->is_batching)
        sheaf_msg_batch_move_on(worker, peer);
    sheaf_owner_lock_leave(&worker->batches->lock);
    *started = outcome == APPENDED;
    return outcome != NO_MEMORY;
}

static bool is_small(const struct sheaf_msg_worker *worker, size_t bytes)
{
    return bytes <= LARGEST && bytes <= worker->batches->capacity / 2;
}

static void send_peer_batch(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer)
{
    sheaf_owner_lock_enter(&worker->batches->lock);
    if (peer->batch)
        sheaf_msg_batch_send(worker, peer->batch);
    sheaf_owner_lock_leave(&worker->batches->lock);
}

void sheaf_msg_batch_send_for(struct sheaf_msg_worker *worker, int pe)
{
    struct sheaf_msg_peer *peer = sheaf_msg_peer_known(worker, pe);
    if (peer)
        send_peer_batch(worker, peer);
}

static enum outcome append_put(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                               void *dest, const void *source, size_t bytes)
{
    struct entry entry = make_entry(peer, SHEAF_MSG_ENTRY_PUT | (unsigned)(bytes - 1), dest, bytes);
    unsigned char *at;
    enum outcome outcome = append_entry(worker, peer, &entry, &at);
    if (sheaf_unlikely(outcome != APPENDED))
        return outcome;
    if (sheaf_likely(bytes == 8))
        memcpy(at, source, 8);
    else
        memcpy(at, source, bytes);
    return APPENDED;
}

bool sheaf_msg_batch_put(struct sheaf_msg_worker *worker, int pe, void *dest, const void *source,
                         size_t bytes, bool *started)
{
    struct sheaf_msg_peer *peer = sheaf_msg_peer_at(worker, pe);
    if (!is_small(worker, bytes) || !has_short_address(peer, dest)) {
        send_peer_batch(worker, peer);
        return false;
    }
    return enter_batch(worker, peer, !peer->is_native) &&
           leave_batch(worker, peer, append_put(worker, peer, dest, source, bytes), started);
}

bool sheaf_msg_batch_get(struct sheaf_msg_worker *worker, int pe, void *dest, const void *source,
                         size_t bytes, bool *started)
{
    struct sheaf_msg_peer *peer = sheaf_msg_peer_at(worker, pe);
    unsigned char *at;
    if (!is_small(worker, bytes) || !has_short_address(peer, source)) {
        send_peer_batch(worker, peer);
        return false;
    }
    struct entry entry = make_entry(peer, SHEAF_MSG_ENTRY_GET | (unsigned)(bytes - 1), source, 0);
    entry.result = dest;
    entry.answer_bytes = sheaf_msg_words(bytes);
    return enter_batch(worker, peer, !peer->is_native) &&
           leave_batch(worker, peer, append_entry(worker, peer, &entry, &at), started);
}

/* If the row is not finished, the caller repeats all of it: that is correct for puts. */
static enum outcome append_row(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                               const struct sheaf_row *row)
{
    const struct sheaf_blocks *blocks = &row->blocks;
    unsigned char *dest = row->dest;
    const unsigned char *source = row->source;
    enum outcome outcome = APPENDED;
    for (size_t i = 0; i < blocks->count && outcome == APPENDED; i++)
        outcome = append_put(worker, peer, dest + (ptrdiff_t)i * blocks->dest_stride,
                             source + (ptrdiff_t)i * blocks->source_stride, blocks->block_bytes);
    return outcome;
}

bool sheaf_msg_batch_put_row(struct sheaf_msg_worker *worker, int pe, const struct sheaf_row *row,
                             bool *started)
{
    const struct sheaf_blocks *blocks = &row->blocks;
    struct sheaf_msg_peer *peer = sheaf_msg_peer_at(worker, pe);
    if (blocks->count > MOST_BLOCKS || blocks->count * blocks->block_bytes > LARGEST_ROWS ||
        !has_short_address(peer, row->dest)) {
        send_peer_batch(worker, peer);
        return false;
    }
    return enter_batch(worker, peer, !peer->is_native) &&
           leave_batch(worker, peer, append_row(worker, peer, row), started);
}

/* Fills in the operands of an atomic operation; returns their bytes. */
static size_t operands_of(const struct sheaf_amo_call *call, uint64_t operands[2], unsigned *what)
{
    operands[0] = call->operand;
    operands[1] = call->compare;
    if (call->operation == SHEAF_AMO_COMPARE_SWAP)
        return 16;
    if (call->operation == SHEAF_AMO_FETCH)
        return 0;
    if (call->operand != 1)
        return 8;
    *what |= SHEAF_MSG_AMO_IS_ONE;
    return 0;
}

static enum outcome append_amo(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                               const struct sheaf_amo_call *call, void *result)
{
    uint64_t operands[2];
    unsigned char *at;
    unsigned what = SHEAF_MSG_ENTRY_AMO | (unsigned)call->operation |
                    (call->bytes == 8 ? SHEAF_MSG_AMO_IS_LONG : 0) |
                    (result ? SHEAF_MSG_AMO_HAS_REPLY : 0);
    size_t bytes = operands_of(call, operands, &what);
    struct entry entry = make_entry(peer, what, call->object, bytes);
    entry.result = result;
    entry.answer_bytes = result ? 8 : 0;
    enum outcome outcome = append_entry(worker, peer, &entry, &at);
    if (outcome != APPENDED)
        return outcome;
    if (bytes == 8)
        memcpy(at, operands, 8);
    else if (bytes == 16)
        memcpy(at, operands, 16);
    return APPENDED;
}

bool sheaf_msg_batch_amo(struct sheaf_msg_worker *worker, int pe, const struct sheaf_amo_call *call,
                         void *result, bool *started)
{
    struct sheaf_msg_peer *peer = sheaf_msg_peer_at(worker, pe);
    if (!has_short_address(peer, call->object)) {
        send_peer_batch(worker, peer);
        return false;
    }
    return enter_batch(worker, peer, true) &&
           leave_batch(worker, peer, append_amo(worker, peer, call, result), started);
}

/* Two entries: the target carries out the signal after the data. */
static enum outcome append_put_signal(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                                      void *dest, const void *source, size_t bytes,
                                      const struct sheaf_signal_call *signal)
{
    const struct sheaf_amo_call amo = {
        .operation = signal->add ? SHEAF_AMO_ADD : SHEAF_AMO_SET,
        .bytes = sizeof *signal->object,
        .object = signal->object,
        .operand = signal->value,
    };
    enum outcome outcome =
        bytes ? append_put(worker, peer, dest, source, bytes) : APPENDED;
    return outcome == APPENDED ? append_amo(worker, peer, &amo, NULL) : outcome;
}

bool sheaf_msg_batch_put_signal(struct sheaf_msg_worker *worker, int pe, void *dest,
                                const void *source, size_t bytes,
                                const struct sheaf_signal_call *signal, bool *started)
{
    struct sheaf_msg_peer *peer = sheaf_msg_peer_at(worker, pe);
    if (!is_small(worker, bytes) || (bytes && !has_short_address(peer, dest)) ||
        !has_short_address(peer, signal->object)) {
        send_peer_batch(worker, peer);
        return false;
    }
    return enter_batch(worker, peer, !peer->is_native || signal->add) &&
           leave_batch(worker, peer, append_put_signal(worker, peer, dest, source, bytes, signal), started);
}
