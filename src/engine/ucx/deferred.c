/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is left to the progress thread because the program wants to compute: starting nonblocking puts,
 * which over TCP is copying them into the socket (256 KiB: 55 us of 87), and taking what gets bring.
 * Only while that pays: a program that waits at once gets to them before the thread does, and then does
 * them itself from the outset.
 */
#include "engine/ucx/ucx.h"

#include <string.h>

/* Waking the thread takes 3.5 us, as sending 4 KiB does; 10 us in a virtual machine whose processor is
 * idle, while 32 KiB arrive within 15 us. */
#define SMALLEST_PUT 16384
#define SMALLEST_GET 65536

#define MOST_CREDIT 8

/* So many bytes are moved at once between two trials: twice as many after every one that failed. */
#define LEAST_BETWEEN ((size_t)1 << 20)
#define MOST_BETWEEN  ((size_t)8 << 20)

static bool is_worth_it(struct sheaf_ucx_delegation *delegation, size_t bytes, size_t smallest)
{
    if (!sheaf_ucx_state.has_thread || bytes < smallest)
        return false;
    delegation->done += bytes;
    return delegation->credit > 0 || delegation->done > LEAST_BETWEEN + delegation->between;
}

static void judge(struct sheaf_ucx_delegation *delegation, bool is_success)
{
    delegation->done = 0;
    if (is_success) {
        delegation->credit += delegation->credit < MOST_CREDIT ? 2 : 0;
        delegation->between = 0;
    } else if (delegation->credit > 0) {
        delegation->credit--;
    } else {
        size_t longer = 2 * delegation->between + LEAST_BETWEEN;
        delegation->between = longer < MOST_BETWEEN ? longer : MOST_BETWEEN;
    }
}

bool sheaf_ucx_defer(struct sheaf_ucx_worker *worker, const struct sheaf_ucx_deferred *put)
{
    if (worker->deferred_count == SHEAF_UCX_DEFERRED ||
        !is_worth_it(&worker->puts, put->bytes, SMALLEST_PUT))
        return false;
    worker->deferred[worker->deferred_count++] = *put;
    return true;
}

void sheaf_ucx_start_deferred(struct sheaf_ucx_worker *worker)
{
    struct sheaf_ucx_deferred deferred[SHEAF_UCX_DEFERRED];
    unsigned count = worker->deferred_count;
    memcpy(deferred, worker->deferred, count * sizeof deferred[0]);
    worker->deferred_count = 0;
    judge(&worker->puts, sheaf_ucx_is_progress_thread());
    for (unsigned i = 0; i < count; i++)
        sheaf_ucx_start_put(worker, &deferred[i]);
}

/* Differs when the program has called again, with the lock held. */
static uint64_t activity(const struct sheaf_ucx_worker *worker)
{
    return (uint64_t)worker->calls + sheaf_load_relaxed(&worker->polls);
}

bool sheaf_ucx_delegate_get(struct sheaf_ucx_operation *get, size_t bytes)
{
    struct sheaf_ucx_worker *worker = get->worker;
    get->is_delegated = is_worth_it(&worker->gets, bytes, SMALLEST_GET);
    if (!get->is_delegated)
        return false;
    get->value = activity(worker);
    sheaf_store_relaxed(&worker->is_handed_over, true);
    return true;
}

/* A program that waits has polled by now, one that issues has called, although the thread may come
 * first. */
void sheaf_ucx_judge_get(struct sheaf_ucx_operation *get)
{
    struct sheaf_ucx_worker *worker = get->worker;
    if (!get->is_delegated)
        return;
    get->is_delegated = false;
    judge(&worker->gets, sheaf_ucx_is_progress_thread() && get->value == activity(worker));
}
