/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Batches as the operations use them: small operations that travel together.
 */
#ifndef SHEAF_ENGINE_MESSAGE_BATCH_BATCH_H
#define SHEAF_ENGINE_MESSAGE_BATCH_BATCH_H

#include "engine/message/stream/arrival.h"

/* batch.c and batches.c; without the lock. The operations return whether the batch handles the call:
 * *started then holds the result of engine.h's operation. Otherwise the peer's batch has been sent, and
 * the caller starts the operation. */
void sheaf_msg_batch(sheaf_engine_context *, size_t operations);
bool sheaf_msg_batch_put(struct sheaf_msg_worker *, int, void *, const void *, size_t, bool *started);
bool sheaf_msg_batch_get(struct sheaf_msg_worker *, int, void *, const void *, size_t, bool *started);
bool sheaf_msg_batch_put_row(struct sheaf_msg_worker *, int, const struct sheaf_row *, bool *started);
bool sheaf_msg_batch_put_signal(struct sheaf_msg_worker *, int, void *, const void *, size_t,
                                const struct sheaf_signal_call *, bool *started);
bool sheaf_msg_batch_amo(struct sheaf_msg_worker *, int, const struct sheaf_amo_call *, void *result,
                         bool *started);
/* Send the batch of one peer, or of all. */
void sheaf_msg_batch_send_for(struct sheaf_msg_worker *worker, int pe);
void sheaf_msg_batch_send_all(struct sheaf_msg_worker *worker);
/* The same, and no batch is opened until let_go. */
void sheaf_msg_batch_hold(struct sheaf_msg_worker *worker);
void sheaf_msg_batch_let_go(struct sheaf_msg_worker *worker);
void sheaf_msg_batches_destroy(struct sheaf_msg_worker *worker);

/* batches.c; from any thread, without locks. try_send_all, for waiting threads: sends all batches.
 * try_send_due: sends batches that are old, or that no longer wait for a message. Both return false if
 * another thread is just appending. */
bool sheaf_msg_batch_try_send_all(struct sheaf_msg_worker *worker);
bool sheaf_msg_batch_try_send_due(struct sheaf_msg_worker *worker);

/* Makes the batches of a worker before its first use, where small operations are aggregated without a
 * session. */
void sheaf_msg_batches_prepare(struct sheaf_msg_worker *worker);

/* Whether operations may be in batches. */
static inline bool sheaf_msg_has_batches(const struct sheaf_msg_worker *worker)
{
    return sheaf_load_acquire(&worker->batches) != NULL;
}

/* Called before an operation that does not go into a batch: sends the peer's batch. */
static inline void sheaf_msg_batch_first(struct sheaf_msg_worker *worker, int pe)
{
    if (sheaf_msg_has_batches(worker))
        sheaf_msg_batch_send_for(worker, pe);
}

/* serve_batch.c: batches that arrive. */
bool sheaf_msg_admit_batch(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_batch(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);
void sheaf_msg_handle_batch_data(const struct sheaf_msg_arrival *, const union sheaf_msg_header *);

#endif
