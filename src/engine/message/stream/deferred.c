/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is left to the progress thread because the program wants to compute: starting nonblocking puts,
 * which over TCP is copying them into the socket (256 KiB: 55 us of 87), and taking what gets bring.
 * Only while that pays: a program that waits at once gets to them before the thread does, and then does
 * them itself from the outset. So it does where the thread would only take the program's own processor to
 * start puts: with a peer that polls on the other of two, all of 168 puts of 256 KiB were started there,
 * and nothing was hidden. What gets bring is taken there too: the peer and the network are busy meanwhile.
 */
#include "engine/message/stream/operation.h"

#include <sched.h>
#include <string.h>

static bool leaves(struct sheaf_bet *bet, size_t bytes, uint64_t smallest)
{
    return sheaf_msg_state.has_thread && sheaf_pace_leaves(bet, bytes, smallest);
}

bool sheaf_msg_defer(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put)
{
    if (worker->deferred_count == SHEAF_MSG_DEFERRED ||
        !leaves(&worker->puts, put->bytes, sheaf_pace_table.put_left))
        return false;
    worker->deferred[worker->deferred_count] = *put;
    sheaf_store_relaxed(&worker->deferred_count, worker->deferred_count + 1);
    worker->deferred_at = sched_getcpu();
    return true;
}

void sheaf_msg_start_deferred(struct sheaf_msg_worker *worker)
{
    struct sheaf_msg_deferred deferred[SHEAF_MSG_DEFERRED];
    unsigned count = worker->deferred_count;
    memcpy(deferred, worker->deferred, count * sizeof deferred[0]);
    sheaf_store_relaxed(&worker->deferred_count, 0);
    sheaf_pace_left(&worker->puts,
                    sheaf_msg_is_progress_thread && sched_getcpu() != worker->deferred_at);
    for (unsigned i = 0; i < count; i++)
        sheaf_msg_start_put(worker, &deferred[i], NULL);
}

/* Differs when the program has called again, with the lock held. */
static uint64_t activity(const struct sheaf_msg_worker *worker)
{
    return (uint64_t)worker->calls + sheaf_load_relaxed(&worker->polls);
}

bool sheaf_msg_delegate_get(struct sheaf_msg_operation *get, size_t bytes)
{
    struct sheaf_msg_worker *worker = get->worker;
    get->is_delegated = leaves(&worker->gets, bytes, sheaf_pace_table.get_left);
    if (!get->is_delegated)
        return false;
    get->value = activity(worker);
    sheaf_store_relaxed(&worker->is_handed_over, true);
    return true;
}

/* A program that waits has polled by now, one that issues has called, although the thread may come
 * first. */
void sheaf_msg_judge_get(struct sheaf_msg_operation *get)
{
    struct sheaf_msg_worker *worker = get->worker;
    if (!get->is_delegated)
        return;
    get->is_delegated = false;
    sheaf_pace_left(&worker->gets, sheaf_msg_is_progress_thread && get->value == activity(worker));
}
