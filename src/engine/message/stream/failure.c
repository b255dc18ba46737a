/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What did not work, in one phrase, to the layers above, which end the job.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/times.h"

#include <stdio.h>

/* A PE that leaves closes its connections, after the last barrier; so a connection that breaks with
 * nothing under way is a failure only when this PE has not come to its own end soon after. Where deaths are
 * reported, the death of that PE is news of its own. */
static struct {
    const struct sheaf_msg_peer *peer;
    const char *why;
    uint64_t deadline; /* 0: none is lost */
} lost;

void sheaf_msg_failed(int pe, const char *what, const char *why)
{
    char text[320];
    snprintf(text, sizeof text, "%s: %s (%s)", what, why, sheaf_msg_state.transport->title);
    if (sheaf_load_acquire(&sheaf_msg_state.has_dead_host))
        sheaf_msg_state.job.host_failed(pe, text);
    sheaf_msg_state.job.failed(pe, text);
}

void sheaf_msg_host_died(void)
{
    if (sheaf_msg_bears_deaths())
        return;
    sheaf_store_release(&sheaf_msg_state.has_dead_host, true);
}

static bool is_gone(const struct sheaf_msg_peer *peer)
{
    return sheaf_msg_bears_deaths() && sheaf_msg_is_gone(peer);
}

void sheaf_msg_lost(void *argument, const char *why)
{
    const struct sheaf_msg_peer *peer = argument;
    if (sheaf_load_relaxed(&sheaf_msg_state.is_stopping))
        return;
    if (!sheaf_msg_bears_deaths() &&
        (!sheaf_msg_is_idle(peer) || sheaf_load_acquire(&sheaf_msg_state.has_dead_host)))
        sheaf_msg_failed(peer->pe, "connection", why);
    if (sheaf_load_relaxed(&lost.deadline) || is_gone(peer))
        return;
    lost.peer = peer;
    lost.why = why;
    uint64_t wait_ns = sheaf_times.connection_leaves;
    if (sheaf_msg_bears_deaths())
        wait_ns = sheaf_times.connection_death;
    sheaf_store_release(&lost.deadline, sheaf_clock_ns() + wait_ns);
}

bool sheaf_msg_check_lost(void)
{
    uint64_t deadline = sheaf_load_acquire(&lost.deadline);
    if (sheaf_likely(deadline == 0))
        return false;
    if (is_gone(lost.peer)) {
        sheaf_store_release(&lost.deadline, 0);
        return false;
    }
    if (sheaf_clock_ns() > deadline && !sheaf_load_relaxed(&sheaf_msg_state.is_stopping))
        sheaf_msg_failed(lost.peer->pe, "connection", lost.why);
    return true;
}

void sheaf_msg_forget_lost(void)
{
    sheaf_store_release(&lost.deadline, 0);
}
