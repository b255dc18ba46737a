/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on PEs of other nodes: the engine starts them, and the functions here wait for their end.
 * Arguments have been checked; PEs are world numbers.
 */
#ifndef SHEAF_CORE_ACCESS_FAR_H
#define SHEAF_CORE_ACCESS_FAR_H

#include "core/access/context.h"
#include "core/pe/job.h"
#include "core/pe/network.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"
#include "survive/interface/survival.h"

#include <stdbool.h>
#include <stddef.h>

/* A call's request to the engine, which itself never waits. The caller repeats the request at every step
 * of the wait until all of it has started. Then it waits for the end of the operation, unless the request
 * was made without left. See engine.h. struct sheaf_far_call far; sheaf_far_begin(&far, ctx, pe);
 * sheaf_record_far(bytes); while (!sheaf_network->get(far.stream, pe, dest, source, bytes, &far.left))
 * sheaf_wait_step(&far.wait); sheaf_far_finish(&far);
 */
struct sheaf_far_call {
    sheaf_engine_context *stream;
    int pe; /* or SHEAF_EVERY_PE */
    size_t left;
    struct sheaf_wait wait;
};

/* Whether operations on near PEs may be under way in the network; set by core/access/amo_provider.c. */
extern bool sheaf_far_reaches_near;

/* For the status board. */
void sheaf_far_describe(const void *object, char *text, size_t size);

/* Whether this thread goes on although a PE that it waits for has died. */
extern __thread bool sheaf_far_outlives_deaths;

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

/* Performs the operation through the engine, whichever provider it has. result NULL: there is no
 * result. */
void sheaf_far_perform(shmem_ctx_t ctx, const struct sheaf_amo_call *amo, void *result, bool nbi,
                       int pe);

/* Orders or completes the context's operations on far PEs. The network must be up. */
void sheaf_far_fence(shmem_ctx_t ctx);
void sheaf_far_quiet(shmem_ctx_t ctx);
void sheaf_far_quiet_pe(shmem_ctx_t ctx, int pe);

#endif
