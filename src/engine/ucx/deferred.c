/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking puts that the progress thread starts, because the program wants to compute: over TCP
 * starting one is copying it into the socket (256 KiB: 55 us of 87). Only while that pays: a program
 * that waits at once gets to them before the thread does, and then starts them itself from the outset.
 */
#include "engine/ucx/ucx.h"

#include <string.h>

/* Waking the thread takes 3.5 us, as sending 4 KiB does; a get's request is as small. */
#define SMALLEST 16384

#define MOST_CREDIT 8
#define TRIAL_EVERY 16

static bool is_worth_it(struct sheaf_ucx_worker *worker, size_t bytes)
{
    if (!sheaf_ucx_state.has_thread || bytes < SMALLEST ||
        worker->deferred_count == SHEAF_UCX_DEFERRED)
        return false;
    return worker->credit > 0 || ++worker->trial % TRIAL_EVERY == 0;
}

bool sheaf_ucx_defer(struct sheaf_ucx_worker *worker, const struct sheaf_ucx_deferred *put)
{
    if (!is_worth_it(worker, put->bytes))
        return false;
    worker->deferred[worker->deferred_count++] = *put;
    return true;
}

static void judge(struct sheaf_ucx_worker *worker)
{
    if (sheaf_ucx_is_progress_thread())
        worker->credit += worker->credit < MOST_CREDIT ? 2 : 0;
    else
        worker->credit -= worker->credit > 0;
}

void sheaf_ucx_start_deferred(struct sheaf_ucx_worker *worker)
{
    struct sheaf_ucx_deferred deferred[SHEAF_UCX_DEFERRED];
    unsigned count = worker->deferred_count;
    memcpy(deferred, worker->deferred, count * sizeof deferred[0]);
    worker->deferred_count = 0;
    judge(worker);
    for (unsigned i = 0; i < count; i++)
        sheaf_ucx_start_put(worker, &deferred[i]);
}
