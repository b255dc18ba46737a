/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pending acknowledgements of a worker: how long they are delayed for the program's own answer, and which
 * of them travel with another message.
 */
#include "engine/message/stream/peer.h"

#include "base/clock.h"

/* The turn brought nothing. A flag behind its data is one send later than the data. */
static bool await_next_message(struct sheaf_msg_delayed_acks *delayed)
{
    uint64_t now_ns = sheaf_clock_ns();
    bool is_first = delayed->idle_since_ns == 0;
    uint64_t idle_ns = is_first ? 0 : now_ns - delayed->idle_since_ns;
    if (delayed->turns == 0)
        return false;
    bool waits = sheaf_pace_awaits_next(&delayed->next, idle_ns, sheaf_msg_thread_looks_in());
    if (waits && is_first)
        delayed->idle_since_ns = now_ns;
    else if (!waits && !is_first)
        sheaf_pace_awaited_next(&delayed->next, false);
    return waits;
}

/* An acknowledgement is a system call of 4 us between a put's arrival and the program's noticing it. A
 * delayed one goes out with the first turn in which nothing arrives, or a little later where a further
 * message came then of late. If the program computes instead of answering, the sender waits until the
 * program calls again, or until the thread looks. */
bool sheaf_msg_delay_acknowledgements(struct sheaf_msg_delayed_acks *delayed, bool has_news)
{
    if (!has_news)
        return await_next_message(delayed);
    if (delayed->idle_since_ns)
        sheaf_pace_awaited_next(&delayed->next, true);
    delayed->idle_since_ns = 0;
    if (!sheaf_pace_holds_back(&delayed->bet, delayed->turns, sheaf_msg_thread_looks_in()))
        return false;
    if (delayed->turns++ == 0)
        delayed->since_ns = sheaf_clock_ns();
    return true;
}

void sheaf_msg_settle_ack_bet(struct sheaf_msg_delayed_acks *delayed)
{
    if (delayed->turns == 0)
        return;
    delayed->turns = 0;
    delayed->idle_since_ns = 0;
    sheaf_pace_held(&delayed->bet, sheaf_clock_ns() - delayed->since_ns);
}

static uint16_t take_pending(struct sheaf_msg_worker *worker, struct sheaf_msg_pending_acks *pending)
{
    uint16_t count = (uint16_t)(pending->count < UINT16_MAX ? pending->count : UINT16_MAX);
    pending->count -= count;
    if (pending->count == 0)
        *pending = worker->pending_acks[--worker->pending_count];
    if (worker->pending_count == 0)
        sheaf_msg_settle_ack_bet(&worker->delayed);
    sheaf_fence_stores();
    return count;
}

uint16_t sheaf_msg_acknowledge_with(struct sheaf_msg_worker *worker, const struct sheaf_msg_peer *peer,
                                    const sheaf_transport_link *link)
{
    for (int i = 0; i < worker->pending_count; i++)
        if (peer ? worker->pending_acks[i].pe == peer->pe : worker->pending_acks[i].link == link)
            return take_pending(worker, &worker->pending_acks[i]);
    return 0;
}
