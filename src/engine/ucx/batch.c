/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Small operations that go into a batch: an entry of some words (wire.h) instead of a message. Puts
 * are copied, so that a blocking one may return.
 */
#include "engine/ucx/batch.h"

#include <string.h>

/* In bytes: a larger put or get is a message by itself. Sending one takes about 1.5 us more than
 * appending it, copying this much twice about 0.2 us. */
#define LARGEST 1024

/* Strided puts of more blocks go packed, which needs no word per block. */
#define MOST_BLOCKS 32

__thread bool sheaf_ucx_batch_is_mine;

/* Of one operation: what it takes in the batch, and in the answer. */
struct entry {
    uint64_t head;
    size_t bytes;        /* with the head, whole words */
    void *result;        /* where it goes; NULL without */
    size_t answer_bytes; /* whole words */
};

static struct entry make_entry(const struct sheaf_ucx_peer *peer, unsigned what, const void *object,
                               size_t bytes)
{
    uint64_t head = sheaf_ucx_remote(peer, object) | (uint64_t)what << 48;
    return (struct entry){.head = head, .bytes = 8 + sheaf_ucx_words(bytes)};
}

static bool is_reachable(const struct sheaf_ucx_peer *peer, const void *object)
{
    return sheaf_likely(sheaf_ucx_remote(peer, object) <= SHEAF_UCX_ENTRY_ADDRESS);
}

static bool fits(const struct sheaf_ucx_batches *batches, const struct sheaf_ucx_batch *batch,
                 const struct entry *entry)
{
    size_t results = batch->results + (entry->result != NULL);
    return batch->used + entry->bytes + 8 * results <= batches->capacity &&
           batch->answer_bytes + entry->answer_bytes <= SHEAF_UCX_MOST_ANSWER;
}

/* With the lock. Returns where the entry's operands go, NULL without memory for a batch. */
static unsigned char *append(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                             const struct entry *entry)
{
    struct sheaf_ucx_batches *batches = worker->batches;
    struct sheaf_ucx_batch *batch = peer->batch;
    if (sheaf_unlikely(!batch || !fits(batches, batch, entry)))
        batch = sheaf_ucx_batch_next(worker, peer);
    if (sheaf_unlikely(!batch))
        return NULL;
    unsigned char *at = batch->bytes + batch->used;
    memcpy(at, &entry->head, 8);
    batch->used += (uint32_t)entry->bytes;
    if (entry->result) {
        memcpy(sheaf_ucx_batch_place(batches, batch, batch->results++), &entry->result, 8);
        batch->answer_bytes += (uint32_t)entry->answer_bytes;
    }
    sheaf_ucx_batch_is_mine = true;
    return at + 8;
}

/* Whether there is a session, now that it cannot end meanwhile. */
static bool enter(struct sheaf_ucx_worker *worker)
{
    sheaf_owner_lock_enter(&worker->batches->lock);
    if (sheaf_likely(worker->is_batching))
        return true;
    sheaf_owner_lock_leave(&worker->batches->lock);
    return false;
}

static bool leave(struct sheaf_ucx_worker *worker, bool done)
{
    sheaf_owner_lock_leave(&worker->batches->lock);
    return done;
}

static void send_for(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer)
{
    if (!enter(worker))
        return;
    if (peer->batch)
        sheaf_ucx_batch_send(worker, peer->batch);
    leave(worker, true);
}

void sheaf_ucx_batch_send_for(struct sheaf_ucx_worker *worker, int pe)
{
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_known(worker, pe);
    if (peer)
        send_for(worker, peer);
}

static bool append_put(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                       const void *source, size_t bytes)
{
    struct entry entry = make_entry(peer, SHEAF_UCX_ENTRY_PUT | (unsigned)bytes, dest, bytes);
    unsigned char *at = append(worker, peer, &entry);
    if (!at)
        return false;
    if (sheaf_likely(bytes == 8))
        memcpy(at, source, 8);
    else
        memcpy(at, source, bytes);
    return true;
}

bool sheaf_ucx_batch_put(struct sheaf_ucx_worker *worker, int pe, void *dest, const void *source,
                         size_t bytes)
{
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    if (bytes > LARGEST || !is_reachable(peer, dest)) {
        send_for(worker, peer);
        return false;
    }
    return enter(worker) && leave(worker, append_put(worker, peer, dest, source, bytes));
}

bool sheaf_ucx_batch_get(struct sheaf_ucx_worker *worker, int pe, void *dest, const void *source,
                         size_t bytes)
{
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    if (bytes > LARGEST || !is_reachable(peer, source)) {
        send_for(worker, peer);
        return false;
    }
    struct entry entry = make_entry(peer, SHEAF_UCX_ENTRY_GET | (unsigned)bytes, source, 0);
    entry.result = dest;
    entry.answer_bytes = sheaf_ucx_words(bytes);
    return enter(worker) && leave(worker, append(worker, peer, &entry) != NULL);
}

/* What is left unfinished for lack of memory the caller does again, all of it: they are puts. */
static bool append_blocks(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                          unsigned char *dest, const unsigned char *source,
                          const struct sheaf_blocks *blocks)
{
    bool done = true;
    for (size_t i = 0; i < blocks->count && done; i++)
        done = append_put(worker, peer, dest + (ptrdiff_t)i * blocks->dest_stride,
                          source + (ptrdiff_t)i * blocks->source_stride, blocks->block_bytes);
    return done;
}

bool sheaf_ucx_batch_put_blocks(struct sheaf_ucx_worker *worker, int pe, void *dest,
                                const void *source, const struct sheaf_blocks *blocks)
{
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    if (blocks->count > MOST_BLOCKS || blocks->count * blocks->block_bytes > LARGEST ||
        !is_reachable(peer, dest)) {
        send_for(worker, peer);
        return false;
    }
    return enter(worker) && leave(worker, append_blocks(worker, peer, dest, source, blocks));
}

/* What goes with an atomic operation; returns how many bytes. */
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
    *what |= SHEAF_UCX_AMO_IS_ONE;
    return 0;
}

static bool append_amo(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                       const struct sheaf_amo_call *call, void *result)
{
    uint64_t operands[2];
    unsigned what = SHEAF_UCX_ENTRY_AMO | (unsigned)call->operation |
                    (call->bytes == 8 ? SHEAF_UCX_AMO_IS_LONG : 0) |
                    (result ? SHEAF_UCX_AMO_HAS_REPLY : 0);
    size_t bytes = operands_of(call, operands, &what);
    struct entry entry = make_entry(peer, what, call->object, bytes);
    entry.result = result;
    entry.answer_bytes = result ? 8 : 0;
    unsigned char *at = append(worker, peer, &entry);
    if (!at)
        return false;
    if (bytes == 8)
        memcpy(at, operands, 8);
    else if (bytes == 16)
        memcpy(at, operands, 16);
    return true;
}

static bool batch_amo(struct sheaf_ucx_worker *worker, int pe, const struct sheaf_amo_call *call,
                      void *result)
{
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    if (!is_reachable(peer, call->object)) {
        send_for(worker, peer);
        return false;
    }
    return enter(worker) && leave(worker, append_amo(worker, peer, call, result));
}

bool sheaf_ucx_batch_amo(struct sheaf_ucx_worker *worker, int pe, const struct sheaf_amo_call *call)
{
    return batch_amo(worker, pe, call, NULL);
}

bool sheaf_ucx_batch_fetch(struct sheaf_ucx_worker *worker, int pe,
                           const struct sheaf_amo_call *call, void *result)
{
    return batch_amo(worker, pe, call, result);
}

/* Two entries: what comes behind the data is done after it. */
bool sheaf_ucx_batch_put_signal(struct sheaf_ucx_worker *worker, int pe, void *dest,
                                const void *source, size_t bytes,
                                const struct sheaf_signal_call *signal)
{
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    const struct sheaf_amo_call amo = {signal->add ? SHEAF_AMO_ADD : SHEAF_AMO_SET,
                                       sizeof *signal->object, signal->object, signal->value, 0};
    if (bytes > LARGEST || (bytes && !is_reachable(peer, dest)) ||
        !is_reachable(peer, signal->object)) {
        send_for(worker, peer);
        return false;
    }
    return enter(worker) &&
           leave(worker, (!bytes || append_put(worker, peer, dest, source, bytes)) &&
                             append_amo(worker, peer, &amo, NULL));
}
