/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations of the engine's table, and all that the files behind them share: the worker, the peer, the
 * operation, registered memory, the protocol. See README.md for how a put and a get travel.
 */
#ifndef SHEAF_ENGINE_UCX_UCX_H
#define SHEAF_ENGINE_UCX_UCX_H

#include "engine/ucx/operation.h"
#include "engine/ucx/peer.h"
#include "engine/ucx/protocol.h"
#include "engine/ucx/registration.h"
#include "engine/ucx/worker.h"

/* The operations of the table: rma.c rows.c amo.c completion.c progress.c tagged.c */
bool sheaf_ucx_put(sheaf_engine_context *, int, void *, const void *, size_t, size_t *);
bool sheaf_ucx_get(sheaf_engine_context *, int, void *, const void *, size_t, size_t *);
bool sheaf_ucx_put_signal(sheaf_engine_context *, int, void *, const void *, size_t,
                          const struct sheaf_signal_call *, size_t *);
bool sheaf_ucx_put_rows(sheaf_engine_context *, int, struct sheaf_rows *, const struct sheaf_scale *,
                        bool, size_t *);
bool sheaf_ucx_get_rows(sheaf_engine_context *, int, struct sheaf_rows *, size_t *);
bool sheaf_ucx_amo(sheaf_engine_context *, int, const struct sheaf_amo_call *, void *, size_t *);
void sheaf_ucx_fence(sheaf_engine_context *);
void sheaf_ucx_quiet(sheaf_engine_context *, int, size_t *);
int sheaf_ucx_busy_with(sheaf_engine_context *);
void sheaf_ucx_send(int, uint64_t, const void *, size_t, size_t *);
void sheaf_ucx_receive(int, uint64_t, void *, size_t, size_t *);
bool sheaf_ucx_work(sheaf_engine_context *);
bool sheaf_ucx_progress(bool may_reply);
bool sheaf_ucx_sleep(sheaf_engine_context *, bool is_work, uint64_t timeout_ns);

#endif
