/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on PEs of other nodes: the engine starts them, and here they are waited for. Arguments have
 * been checked; PEs are world numbers.
 */
#ifndef SHEAF_CORE_ACCESS_FAR_H
#define SHEAF_CORE_ACCESS_FAR_H

#include "core/access/context.h"
#include "core/pe/job.h"
#include "core/pe/network.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"
#include "survive/door/survival.h"

#include <stdbool.h>
#include <stddef.h>

/* A call's request to the engine, which never waits: the request is tried again at every step of the wait
 * until all of it has started; then its end is waited for, unless nothing counts in left. See engine.h.
 *   struct sheaf_far_call far;
 *   sheaf_far_begin(&far, ctx, pe);
 *   sheaf_record_far(bytes);
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

/* Whether operations on near PEs may be under way in the network: core/access/amo_provider.h says so. */
extern bool sheaf_far_reaches_near;

/* For the status board. */
void sheaf_far_describe(const void *object, char *text, size_t size);

/* Whether this thread goes on although a PE that it waits for is lost. */
extern __thread bool sheaf_far_bears_deaths;

static inline void sheaf_far_begin(struct sheaf_far_call *far, shmem_ctx_t ctx, int pe)
{
    *far = (struct sheaf_far_call){
        .stream = sheaf_context_stream(ctx),
        .pe = pe,
        .wait = SHEAF_WAIT_FOR(SHEAF_WAIT_FAR, far, sheaf_far_describe),
    };
    far->wait.stream = far->stream;
    if (sheaf_unlikely(sheaf_survival->heed_far != NULL) && pe != SHEAF_EVERY_PE)
        sheaf_survival->heed_far(far);
}

/* Returns when *left is 0. */
static inline void sheaf_far_wait(struct sheaf_far_call *far, const size_t *left)
{
    while (sheaf_load_acquire(left) != 0)
        sheaf_wait_step(&far->wait);
    sheaf_wait_done(&far->wait);
}

static inline void sheaf_far_finish(struct sheaf_far_call *far)
{
    sheaf_far_wait(far, &far->left);
    if (sheaf_unlikely(sheaf_survival->heed_far != NULL))
        sheaf_survival->heed_far(far);
}

/* The operation through the engine, whosever it is; result NULL: there is none. */
void sheaf_far_perform(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, void *result, bool nbi,
                       int pe);

/* Orders or completes the context's operations on far PEs; the network is there. */
void sheaf_far_fence(shmem_ctx_t ctx);
void sheaf_far_quiet(shmem_ctx_t ctx);
void sheaf_far_quiet_pe(shmem_ctx_t ctx, int pe);

#endif
