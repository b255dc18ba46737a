/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations of the engine's table, and all that the files behind them share: the worker, the peer, the
 * operation, registered memory, the protocol. See README.md for how a put and a get travel.
 */
#ifndef SHEAF_ENGINE_MESSAGE_MESSAGE_H
#define SHEAF_ENGINE_MESSAGE_MESSAGE_H

#include "engine/message/operation.h"
#include "engine/message/peer.h"
#include "engine/message/protocol.h"
#include "engine/message/registration.h"
#include "engine/message/worker.h"

/* The operations of the table: rma.c rows.c amo.c completion.c progress.c tagged.c */
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
void sheaf_msg_send(int, uint64_t, const void *, size_t, size_t *);
void sheaf_msg_receive(int, uint64_t, void *, size_t, size_t *);
bool sheaf_msg_work(sheaf_engine_context *);
bool sheaf_msg_progress(bool may_reply);
bool sheaf_msg_sleep(sheaf_engine_context *, bool is_work, uint64_t timeout_ns);

#endif
