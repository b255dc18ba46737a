/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations of the engine's table, contexts, and the progress thread.
 */
#ifndef SHEAF_ENGINE_MESSAGE_MESSAGE_H
#define SHEAF_ENGINE_MESSAGE_MESSAGE_H

#include "engine/message/batch/batch.h"
#include "engine/message/direct/registration.h"
#include "engine/message/stream/operation.h"

/* The operations of the table: rma.c rows.c amo.c fence_quiet.c progress.c */
bool sheaf_msg_put(sheaf_engine_context *, int, void *, const void *, size_t, size_t *);
bool sheaf_msg_get(sheaf_engine_context *, int, void *, const void *, size_t, size_t *);
bool sheaf_msg_put_signal(sheaf_engine_context *, int, void *, const void *, size_t,
                          const struct sheaf_signal_call *, size_t *);
bool sheaf_msg_put_rows(sheaf_engine_context *, int, struct sheaf_rows *, const struct sheaf_scale *,
                        bool, size_t *);
bool sheaf_msg_get_rows(sheaf_engine_context *, int, struct sheaf_rows *, size_t *);
bool sheaf_msg_amo(sheaf_engine_context *, int, const struct sheaf_amo_call *, void *, size_t *);
void sheaf_msg_fence(sheaf_engine_context *);
void sheaf_msg_quiet(sheaf_engine_context *, int, size_t *);
int sheaf_msg_busy_with(sheaf_engine_context *);
bool sheaf_msg_work(sheaf_engine_context *);
bool sheaf_msg_progress(bool may_reply);
bool sheaf_msg_needs_turns(void);
bool sheaf_msg_sleep(sheaf_engine_context *, bool is_work, uint64_t timeout_ns);

/* rma.c; with the lock held */
void sheaf_msg_start_get(struct sheaf_msg_operation *get, void *dest, const void *source, size_t bytes,
                         size_t *left);

/* contexts.c: those of the table, and what is kept of destroyed ones until the engine stops. */
sheaf_engine_context *sheaf_msg_context_create(bool is_shared);
void sheaf_msg_context_destroy(sheaf_engine_context *context);
void sheaf_msg_contexts_stop(void);

/* With a worker of their own, kept ones included; those that follow share the service worker. */
#define SHEAF_MSG_MOST_CONTEXTS 16

/* Connections of all kept workers together: each is a descriptor at either end, of the 1,024 that a
 * process may have as a rule. */
#define SHEAF_MSG_MOST_KEPT 128

/* contexts.c: a worker's end, in order. */
void sheaf_msg_worker_end(struct sheaf_msg_worker *worker);

/* progress.c */
int sheaf_msg_thread_start(void);
void sheaf_msg_thread_stop(void);
void sheaf_msg_thread_add(struct sheaf_msg_worker *worker);
void sheaf_msg_thread_remove(struct sheaf_msg_worker *worker);
/* No thread looks after any worker in between. */
void sheaf_msg_thread_hold(void);
void sheaf_msg_thread_let_go(void);

#endif
