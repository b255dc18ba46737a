/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Work that the program leaves to the progress thread while it computes. The thread starts nonblocking
 * puts, which over TCP means copying them into the socket (256 KiB: 55 of 87 us), and takes the answers
 * of gets.
 *
 * Work is left to the thread only while that pays. A program that waits at once does the work before
 * the thread, and then does it itself from the start. It also starts puts itself if the thread would do
 * so on the program's own processor. With a peer that polled on the other of two processors the thread
 * started all of 168 puts of 256 KiB there, and overlapped nothing. Answers of gets are taken there too,
 * since peer and network are busy meanwhile.
 */
#include "engine/message/stream/operation.h"

#include <sched.h>
#include <string.h>

static bool leaves_to_thread(struct sheaf_bet *bet, size_t bytes, uint64_t smallest)
{
    return sheaf_msg_state.has_thread && sheaf_pace_leaves(bet, bytes, smallest);
}

bool sheaf_msg_defer(struct sheaf_msg_worker *worker, const struct sheaf_msg_deferred *put)
{
    if (worker->deferred_count == SHEAF_MSG_DEFERRED ||
        !leaves_to_thread(&worker->puts, put->bytes, sheaf_pace_table.put_left))
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

/* Changes whenever the program calls again, with the lock held. */
static uint64_t activity_of(const struct sheaf_msg_worker *worker)
{
    return (uint64_t)worker->calls + sheaf_load_relaxed(&worker->polls);
}

bool sheaf_msg_delegate_get(struct sheaf_msg_operation *get, size_t bytes)
{
    struct sheaf_msg_worker *worker = get->worker;
    get->is_delegated = leaves_to_thread(&worker->gets, bytes, sheaf_pace_table.get_left);
    if (!get->is_delegated)
        return false;
    get->value = activity_of(worker);
    sheaf_store_relaxed(&worker->is_handed_over, true);
    return true;
}

/* Whether leaving the get to the thread has paid, although the thread may come first: a program that waits
 * has polled by now, and one that issues has called. */
void sheaf_msg_settle_get_bet(struct sheaf_msg_operation *get)
{
    struct sheaf_msg_worker *worker = get->worker;
    if (!get->is_delegated)
        return;
    get->is_delegated = false;
    sheaf_pace_left(&worker->gets, sheaf_msg_is_progress_thread && get->value == activity_of(worker));
}
