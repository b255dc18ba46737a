/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts, puts with a signal, and gets, by messages where they are not native.c's. A large one is a
 * row of messages of SHEAF_UCX_FRAGMENT bytes on the one connection to the peer: they arrive in
 * order, so that a fence and a signal cost nothing, and each is copied once, from UCX's receive
 * buffer to where it belongs.
 */
#include "engine/ucx/ucx.h"

#include "base/atomic.h"

static size_t part_of(size_t bytes, size_t offset)
{
    size_t rest = bytes - offset;
    return rest < SHEAF_UCX_FRAGMENT ? rest : SHEAF_UCX_FRAGMENT;
}

static size_t parts_of(size_t bytes)
{
    return (bytes + SHEAF_UCX_FRAGMENT - 1) / SHEAF_UCX_FRAGMENT;
}

/* The memory of operations under way is bounded, but for a single one's: a program may issue puts
 * faster than a network carries them. */
#define MOST_OPERATIONS 16384

void sheaf_ucx_hold_back(struct sheaf_ucx_worker *worker)
{
    if (sheaf_unlikely(worker->in_use > MOST_OPERATIONS))
        sheaf_ucx_wait(worker, &worker->in_use, MOST_OPERATIONS / 2);
}

static void start_put_word(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                           const void *source, size_t bytes, size_t *waiter)
{
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    operation->header.put_word = (struct sheaf_ucx_put_word){
        {sheaf_ucx_remote(peer, dest)}, sheaf_ucx_word(source, bytes)};
    operation->waiter = waiter;
    sheaf_ucx_count_sent(worker, peer);
    sheaf_ucx_send_operation(operation, peer->endpoint, SHEAF_UCX_PUT_WORD, NULL, 0);
}

static void start_put(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                      const void *source, size_t bytes, size_t *waiter)
{
    if (bytes > 0 && bytes <= sizeof(uint64_t)) {
        start_put_word(worker, peer, dest, source, bytes, waiter);
        return;
    }
    uint64_t address = sheaf_ucx_remote(peer, dest);
    for (size_t offset = 0; offset < bytes; offset += SHEAF_UCX_FRAGMENT) {
        struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
        operation->header.put = (struct sheaf_ucx_put){address + offset};
        operation->waiter = waiter;
        sheaf_ucx_count_sent(worker, peer);
        sheaf_ucx_send_operation(operation, peer->endpoint, SHEAF_UCX_PUT,
                                 (const char *)source + offset, part_of(bytes, offset));
    }
}

static void put_small(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                      const void *source, size_t bytes)
{
    struct sheaf_ucx_put put = {sheaf_ucx_remote(peer, dest)};
    sheaf_ucx_count_sent(worker, peer);
    if (bytes > sizeof(uint64_t)) {
        sheaf_ucx_send_wait(worker, peer, SHEAF_UCX_PUT, &put, source, bytes);
        return;
    }
    struct sheaf_ucx_put_word header = {put, sheaf_ucx_word(source, bytes)};
    sheaf_ucx_send_wait(worker, peer, SHEAF_UCX_PUT_WORD, &header, NULL, 0);
}

static void put_now(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                    const void *source, size_t bytes)
{
    if (bytes <= SHEAF_UCX_FRAGMENT) {
        put_small(worker, peer, dest, source, bytes);
        return;
    }
    size_t left = parts_of(bytes);
    start_put(worker, peer, dest, source, bytes, &left);
    sheaf_ucx_wait(worker, &left, 0);
}

void sheaf_ucx_put(sheaf_engine_context *context, int pe, void *dest, const void *source,
                   size_t bytes)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (bytes == 0)
        return;
    if (sheaf_ucx_is_batching(worker) && sheaf_ucx_batch_put(worker, pe, dest, source, bytes))
        return;
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    sheaf_ucx_lock(worker);
    if (peer->is_native)
        sheaf_ucx_native_put(worker, peer, dest, source, bytes);
    else
        put_now(worker, peer, dest, source, bytes);
    sheaf_ucx_unlock(worker);
}

void sheaf_ucx_start_put(struct sheaf_ucx_worker *worker, const struct sheaf_ucx_deferred *put)
{
    start_put(worker, put->peer, put->dest, put->source, put->bytes, NULL);
}

/* Puts that were deferred before go first, unless this one joins them. */
static void put_nbi_by_message(struct sheaf_ucx_worker *worker,
                               const struct sheaf_ucx_deferred *put)
{
    sheaf_ucx_lock_only(worker);
    if (sheaf_unlikely(put->peer->flush_first))
        sheaf_ucx_flush_first(worker, put->peer);
    sheaf_ucx_hold_back(worker);
    bool is_deferred = sheaf_ucx_defer(worker, put);
    if (!is_deferred && worker->deferred_count)
        sheaf_ucx_start_deferred(worker);
    if (!is_deferred)
        sheaf_ucx_start_put(worker, put);
    sheaf_ucx_unlock(worker);
    if (is_deferred)
        sheaf_ucx_nudge();
}

void sheaf_ucx_put_nbi(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       size_t bytes)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (bytes == 0)
        return;
    if (sheaf_ucx_is_batching(worker) && sheaf_ucx_batch_put(worker, pe, dest, source, bytes))
        return;
    struct sheaf_ucx_deferred put = {sheaf_ucx_peer_at(worker, pe), dest, source, bytes};
    if (!put.peer->is_native) {
        put_nbi_by_message(worker, &put);
        return;
    }
    sheaf_ucx_lock(worker);
    sheaf_ucx_native_start_put(worker, put.peer, dest, source, bytes, NULL);
    sheaf_ucx_unlock(worker);
}

/* The last fragment carries the signal. */
static void send_put_signal(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer, void *dest,
                            const void *source, size_t bytes,
                            const struct sheaf_signal_call *signal, bool nbi)
{
    size_t parts = parts_of(bytes), left = parts ? parts : 1;
    size_t before = (left - 1) * SHEAF_UCX_FRAGMENT, *waiter = nbi ? NULL : &left;
    if (nbi)
        sheaf_ucx_hold_back(worker);
    start_put(worker, peer, dest, source, before, waiter);
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    operation->waiter = waiter;
    operation->header.put_signal = (struct sheaf_ucx_put_signal){
        {sheaf_ucx_remote(peer, dest) + before},
        sheaf_ucx_remote(peer, signal->object),
        signal->value,
        signal->add,
    };
    sheaf_ucx_count_sent(worker, peer);
    sheaf_ucx_send_operation(operation, peer->endpoint, SHEAF_UCX_PUT_SIGNAL,
                             (const char *)source + before, bytes - before);
    if (!nbi)
        sheaf_ucx_wait(worker, &left, 0);
}

/* Additions are the target's processor's, as those without data. */
void sheaf_ucx_put_signal(sheaf_engine_context *context, int pe, void *dest, const void *source,
                          size_t bytes, const struct sheaf_signal_call *signal, bool nbi)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (sheaf_ucx_is_batching(worker) &&
        sheaf_ucx_batch_put_signal(worker, pe, dest, source, bytes, signal))
        return;
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    sheaf_ucx_lock(worker);
    if (peer->is_native && !signal->add)
        sheaf_ucx_native_set_signal(worker, peer, dest, source, bytes, signal, nbi);
    else
        send_put_signal(worker, peer, dest, source, bytes, signal, nbi);
    sheaf_ucx_unlock(worker);
}

static struct sheaf_ucx_operation *start_get(struct sheaf_ucx_worker *worker,
                                             struct sheaf_ucx_peer *peer, void *dest,
                                             const void *source, size_t bytes, size_t *waiter)
{
    struct sheaf_ucx_operation *operation = sheaf_ucx_operation_get(worker, peer);
    operation->header.get =
        (struct sheaf_ucx_get){operation->handle, sheaf_ucx_remote(peer, source), bytes};
    operation->dest = dest;
    operation->waiter = waiter;
    sheaf_ucx_expect_answer(operation, sheaf_ucx_answer_to_get(bytes), bytes);
    sheaf_ucx_send_operation(operation, peer->endpoint, SHEAF_UCX_GET, NULL, 0);
    return operation;
}

void sheaf_ucx_get_one_by_one(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                              unsigned char *dest, const unsigned char *source,
                              const struct sheaf_blocks *blocks)
{
    size_t left = blocks->count;
    for (size_t i = 0; i < blocks->count; i++) {
        sheaf_ucx_hold_back(worker);
        start_get(worker, peer, dest + (ptrdiff_t)i * blocks->dest_stride,
                  source + (ptrdiff_t)i * blocks->source_stride, blocks->block_bytes, &left);
    }
    sheaf_ucx_wait(worker, &left, 0);
}

void sheaf_ucx_put_one_by_one(struct sheaf_ucx_worker *worker, struct sheaf_ucx_peer *peer,
                              unsigned char *dest, const unsigned char *source,
                              const struct sheaf_blocks *blocks)
{
    size_t left = blocks->count * parts_of(blocks->block_bytes);
    for (size_t i = 0; i < blocks->count; i++) {
        sheaf_ucx_hold_back(worker);
        start_put(worker, peer, dest + (ptrdiff_t)i * blocks->dest_stride,
                  source + (ptrdiff_t)i * blocks->source_stride, blocks->block_bytes, &left);
    }
    sheaf_ucx_wait(worker, &left, 0);
}

void sheaf_ucx_get(sheaf_engine_context *context, int pe, void *dest, const void *source,
                   size_t bytes)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    size_t left = 1;
    if (bytes == 0)
        return;
    sheaf_ucx_batch_first(worker, pe);
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    sheaf_ucx_lock(worker);
    if (peer->is_native) {
        sheaf_ucx_native_get(worker, peer, dest, source, bytes);
    } else {
        start_get(worker, peer, dest, source, bytes, &left);
        sheaf_ucx_wait(worker, &left, 0);
    }
    sheaf_ucx_unlock(worker);
}

void sheaf_ucx_get_nbi(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       size_t bytes)
{
    struct sheaf_ucx_worker *worker = sheaf_ucx_worker_of(context);
    if (bytes == 0)
        return;
    if (sheaf_ucx_is_batching(worker) && sheaf_ucx_batch_get(worker, pe, dest, source, bytes))
        return;
    struct sheaf_ucx_peer *peer = sheaf_ucx_peer_at(worker, pe);
    bool is_delegated = false;
    sheaf_ucx_lock(worker);
    sheaf_ucx_hold_back(worker);
    if (peer->is_native) {
        sheaf_ucx_native_start_get(worker, peer, dest, source, bytes, NULL);
    } else {
        is_delegated = sheaf_ucx_delegate_get(
            start_get(worker, peer, dest, source, bytes, NULL), bytes);
    }
    sheaf_ucx_unlock(worker);
    if (is_delegated)
        sheaf_ucx_nudge();
}
