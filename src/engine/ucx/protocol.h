/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What passes between peers: messages as they are served, and batches of small operations.
 */
#ifndef SHEAF_ENGINE_UCX_PROTOCOL_H
#define SHEAF_ENGINE_UCX_PROTOCOL_H

#include "engine/ucx/operation.h"

/* In bytes: what travels as one message. With the headers it fills the 64 KiB that UCX receives at
 * once over TCP, so nothing is put together from pieces. */
#define SHEAF_UCX_FRAGMENT ((size_t)65408)

/* serve.c; the rest of it is in serve.h. */
/* A word in one piece. */
void sheaf_ucx_store(unsigned char *dest, const void *source, size_t bytes);
/* Up to 8 bytes that travel in a header: one piece less for UCX to send, 0.4 us. */
struct sheaf_ucx_word sheaf_ucx_word(const void *source, size_t bytes);
static inline unsigned char *sheaf_ucx_at(uint64_t address)
{
    return (unsigned char *)(uintptr_t)address;
}
ucs_status_t sheaf_ucx_serve(struct sheaf_ucx_worker *worker);

/* tagged.c */
void sheaf_ucx_forget_messages(void);

/* batch.c and batches.c; without the lock, but for return. The operations return whether they are the
 * batch's matter: then *started says what engine.h's operations return. Else what was in the peer's batch is
 * on its way before, and the caller does it. */
void sheaf_ucx_batch(sheaf_engine_context *, size_t operations);
bool sheaf_ucx_batch_put(struct sheaf_ucx_worker *, int, void *, const void *, size_t, bool *started);
bool sheaf_ucx_batch_get(struct sheaf_ucx_worker *, int, void *, const void *, size_t, bool *started);
bool sheaf_ucx_batch_put_row(struct sheaf_ucx_worker *, int, const struct sheaf_row *, bool *started);
bool sheaf_ucx_batch_put_signal(struct sheaf_ucx_worker *, int, void *, const void *, size_t,
                                const struct sheaf_signal_call *, bool *started);
bool sheaf_ucx_batch_amo(struct sheaf_ucx_worker *, int, const struct sheaf_amo_call *, void *result,
                         bool *started);
/* Sends what there is for one peer, for all. */
void sheaf_ucx_batch_send_for(struct sheaf_ucx_worker *worker, int pe);
void sheaf_ucx_batch_send_all(struct sheaf_ucx_worker *worker);
/* The same, and no batch is opened until let_go. */
void sheaf_ucx_batch_hold(struct sheaf_ucx_worker *worker);
void sheaf_ucx_batch_let_go(struct sheaf_ucx_worker *worker);
void sheaf_ucx_batch_return(struct sheaf_ucx_worker *worker, struct sheaf_ucx_batch *batch);
void sheaf_ucx_batches_destroy(struct sheaf_ucx_worker *worker);

/* batches.c: what nobody has sent yet; from any thread, without locks. By who waits: all of it; and what has
 * grown old, or has nothing before it any more. Return false where another thread is about to append. */
bool sheaf_ucx_batch_try_send_all(struct sheaf_ucx_worker *worker);
bool sheaf_ucx_batch_try_send_due(struct sheaf_ucx_worker *worker);

/* Before anything gathers, where it may without a session: whoever uses a worker finds it so from the outset. */
void sheaf_ucx_batches_prepare(struct sheaf_ucx_worker *worker);

/* Whether operations may be in batches; else nobody need look. */
static inline bool sheaf_ucx_has_batches(const struct sheaf_ucx_worker *worker)
{
    return sheaf_load_acquire(&worker->batches) != NULL;
}

/* Before an operation that does not go into a batch. */
static inline void sheaf_ucx_batch_first(struct sheaf_ucx_worker *worker, int pe)
{
    if (sheaf_ucx_has_batches(worker))
        sheaf_ucx_batch_send_for(worker, pe);
}

#endif
