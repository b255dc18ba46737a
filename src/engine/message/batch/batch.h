/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Batches as the operations use them: small operations that travel together.
 */
#ifndef SHEAF_ENGINE_MESSAGE_BATCH_BATCH_H
#define SHEAF_ENGINE_MESSAGE_BATCH_BATCH_H

#include "engine/message/stream/arrival.h"

/* batch.c and batches.c; without the lock. The operations return whether they are the
 * batch's matter: then *started says what engine.h's operations return. Else what was in the peer's batch
 * is on its way before, and the caller does it. */
void sheaf_msg_batch(sheaf_engine_context *, size_t operations);
bool sheaf_msg_batch_put(struct sheaf_msg_worker *, int, void *, const void *, size_t, bool *started);
bool sheaf_msg_batch_get(struct sheaf_msg_worker *, int, void *, const void *, size_t, bool *started);
bool sheaf_msg_batch_put_row(struct sheaf_msg_worker *, int, const struct sheaf_row *, bool *started);
bool sheaf_msg_batch_put_signal(struct sheaf_msg_worker *, int, void *, const void *, size_t,
                                const struct sheaf_signal_call *, bool *started);
bool sheaf_msg_batch_amo(struct sheaf_msg_worker *, int, const struct sheaf_amo_call *, void *result,
                         bool *started);
/* Sends what there is for one peer, for all. */
void sheaf_msg_batch_send_for(struct sheaf_msg_worker *worker, int pe);
void sheaf_msg_batch_send_all(struct sheaf_msg_worker *worker);
/* The same, and no batch is opened until let_go. */
void sheaf_msg_batch_hold(struct sheaf_msg_worker *worker);
void sheaf_msg_batch_let_go(struct sheaf_msg_worker *worker);
void sheaf_msg_batches_destroy(struct sheaf_msg_worker *worker);

/* batches.c: what nobody has sent yet; from any thread, without locks. By who waits: all of it; and what
 * has grown old, or has nothing before it any more. They return false where another thread is about to
 * append. */
bool sheaf_msg_batch_try_send_all(struct sheaf_msg_worker *worker);
bool sheaf_msg_batch_try_send_due(struct sheaf_msg_worker *worker);

/* Before anything gathers, where it may without a session: whoever uses a worker finds it so from the
 * outset. */
void sheaf_msg_batches_prepare(struct sheaf_msg_worker *worker);

/* Whether operations may be in batches; else nobody need look. */
static inline bool sheaf_msg_has_batches(const struct sheaf_msg_worker *worker)
{
    return sheaf_load_acquire(&worker->batches) != NULL;
}

/* Before an operation that does not go into a batch. */
static inline void sheaf_msg_batch_first(struct sheaf_msg_worker *worker, int pe)
{
    if (sheaf_msg_has_batches(worker))
        sheaf_msg_batch_send_for(worker, pe);
}

/* serve_batch.c: for those that arrive. */
bool sheaf_msg_admit_batch(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_batch(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_take_batch_data(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

#endif
