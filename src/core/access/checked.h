/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the fast path (route.h) leaves over: PEs of other nodes, which the engine reaches; and,
 * where the route is closed, everything: calls before initialization, PE numbers out of range, the
 * checks of the debug level, near PEs of a node whose PEs are not consecutive, and reads that are
 * counted (poll.h). Each function checks first and then does the operation, in memory or through the
 * engine. PEs are world numbers, call is the public name, for messages.
 */
#ifndef SHEAF_CORE_ACCESS_CHECKED_H
#define SHEAF_CORE_ACCESS_CHECKED_H

#include "core/pe/network.h"
#include "core/pe/public.h"
#include "core/pe/wait.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a call asks of the engine, which never waits: it is tried again at every step of the wait until all of
 * it has started; then its end is waited for, unless nothing counts in left. See engine.h.
 *   struct sheaf_far_call far;
 *   sheaf_far_begin(&far, ctx, pe);
 *   while (!sheaf_network->get(far.stream, pe, dest, source, bytes, &far.left))
 *       sheaf_wait_step(&far.wait);
 *   sheaf_far_finish(&far);
 */
struct sheaf_far_call {
    sheaf_engine_context *stream;
    int pe; /* or SHEAF_EVERY_PE */
    size_t left;
    struct sheaf_wait wait;
};
void sheaf_far_begin(struct sheaf_far_call *far, shmem_ctx_t ctx, int pe);
void sheaf_far_finish(struct sheaf_far_call *far);

/* Returns when *left is 0. */
void sheaf_far_wait(struct sheaf_far_call *far, const size_t *left);

void sheaf_far_put(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe,
                   const char *call);
void sheaf_far_put_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe,
                       const char *call);
void sheaf_far_get(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe,
                   const char *call);
void sheaf_far_get_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe,
                       const char *call);
void sheaf_far_put_blocks(shmem_ctx_t ctx, void *dest, const void *source,
                          const struct sheaf_blocks *blocks, int pe, const char *call);
void sheaf_far_get_blocks(shmem_ctx_t ctx, void *dest, const void *source,
                          const struct sheaf_blocks *blocks, int pe, const char *call);
void sheaf_far_put_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes,
                          const struct sheaf_signal_call *signal, bool nbi, int pe,
                          const char *call);

/* amo_fetch returns what the object held before, in the low bytes; the nbi form stores that, amo->bytes
 * long, in *fetch. */
void sheaf_far_amo(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, int pe, const char *call);
uint64_t sheaf_far_amo_fetch(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, int pe,
                             const char *call);
void sheaf_far_amo_fetch_nbi(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, void *fetch, int pe,
                             const char *call);

/* The operation through the engine, whosever it is; result NULL: there is none. */
void sheaf_far_perform(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, void *result, bool nbi,
                       int pe);

/* Orders or completes the context's operations on far PEs; the network is there. */
void sheaf_far_fence(shmem_ctx_t ctx);
void sheaf_far_quiet(shmem_ctx_t ctx);
void sheaf_far_quiet_pe(shmem_ctx_t ctx, int pe);

#endif
