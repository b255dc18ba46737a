/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Credit for puts in a large job. All PEs may put to one PE at the same time, and a switch drops what its
 * port cannot hold: a connection then waits 200 ms and more for TCP's retransmissions, and one that fails
 * for seconds is lost. So a PE may have only its share of SHEAF_MSG_MOST_CREDIT under way to another
 * without asking. For more it asks the target for credit (serve/grants.c), which bounds the sum.
 *
 * With up to 128 PEs the share is a fragment or more, and nobody asks.
 */
#include "engine/message/stream/credit.h"

#include "base/clock.h"
#include "base/times.h"

size_t sheaf_msg_free_credit(int npes)
{
    size_t share = SHEAF_MSG_MOST_CREDIT / (size_t)npes;
    return share >= SHEAF_TRANSPORT_FRAGMENT ? SIZE_MAX : share;
}

static void add_credit(struct sheaf_msg_operation *question)
{
    question->peer->credited += question->value;
    question->peer->asked_credit_ns = 0;
}

static void ask(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, size_t bytes)
{
    struct sheaf_msg_operation *question = sheaf_msg_operation_get(worker, peer);
    question->header.credit = (struct sheaf_msg_credit){question->handle, bytes};
    question->value = bytes;
    question->ended = add_credit;
    peer->asked_credit_ns = sheaf_clock_ns();
    sheaf_msg_expect_answer(question, SHEAF_MSG_DONE, 1);
    sheaf_msg_send_operation(question, peer->link, SHEAF_MSG_CREDIT, NULL, 0);
}

/* The answer may be late because others that were given credit have stopped. Credit is no permission: the
 * data then goes without it. */
static bool has_waited_long(struct sheaf_msg_peer *peer)
{
    uint64_t now_ns = sheaf_clock_ns();
    if (now_ns - peer->asked_credit_ns < sheaf_times.credit_waits)
        return false;
    peer->asked_credit_ns = now_ns;
    return true;
}

bool sheaf_msg_take_credit(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer, size_t bytes)
{
    if (peer->sent == peer->acknowledged)
        peer->uncredited = 0;
    if (bytes <= peer->credited) {
        peer->credited -= bytes;
        return true;
    }
    if (bytes <= sheaf_msg_state.free_credit - peer->uncredited) {
        peer->uncredited += bytes;
        return true;
    }
    if (peer->asked_credit_ns)
        return has_waited_long(peer);
    ask(worker, peer, bytes);
    return false;
}
