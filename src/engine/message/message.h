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
const char *sheaf_msg_reach(int pe, const void *object, bool *is_direct);
const char *sheaf_msg_devices(int pe, bool is_atomic);
bool sheaf_msg_work(sheaf_engine_context *);
bool sheaf_msg_progress(bool may_reply);
bool sheaf_msg_needs_turns(void);
bool sheaf_msg_sleep(sheaf_engine_context *, bool is_work, uint64_t timeout_ns);

/* rma.c; with the lock held */
void sheaf_msg_start_get(struct sheaf_msg_operation *get, void *dest, const void *source, size_t bytes,
                         size_t *remaining);

/* contexts.c: the table's contexts, and the idle workers until the engine stops. */
sheaf_engine_context *sheaf_msg_context_create(bool is_shared);
void sheaf_msg_context_destroy(sheaf_engine_context *context);
void sheaf_msg_contexts_stop(void);

/* Contexts with a worker of their own, idle ones included; further contexts share the service worker. */
#define SHEAF_MSG_MOST_CONTEXTS 16

/* Connections of all idle workers together. Each is a descriptor at either end, and a process may usually
 * have 1,024 of them. */
#define SHEAF_MSG_MOST_IDLE_CONNECTIONS 128

/* contexts.c: ends a worker, in the right order. */
void sheaf_msg_worker_end(struct sheaf_msg_worker *worker);

/* progress.c */
int sheaf_msg_thread_start(void);
void sheaf_msg_thread_stop(void);
void sheaf_msg_thread_add(struct sheaf_msg_worker *worker);
void sheaf_msg_thread_remove(struct sheaf_msg_worker *worker);
/* The progress thread serves no worker between hold and let_go. */
void sheaf_msg_thread_hold(void);
void sheaf_msg_thread_let_go(void);

#endif
