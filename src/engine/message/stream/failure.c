/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What did not work, in one phrase, to the layers above, which end the job.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/times.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The first connection that broke. Copies: the peer is freed with its context, before the deadline perhaps,
 * and a transport may write its next reason over this one. */
static struct {
    pthread_mutex_t lock; /* guards all below; the deadline is read without it first */
    int pe;
    uint32_t incarnation; /* which process of that PE */
    char why[256];
    uint64_t deadline; /* 0: none is lost */
} lost = {.lock = PTHREAD_MUTEX_INITIALIZER};

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

static bool is_gone(int pe, uint32_t incarnation)
{
    return sheaf_msg_bears_deaths() && sheaf_msg_has_ended(pe, incarnation);
}

/* A PE that leaves closes its connections, after the last barrier; so a connection that breaks with
 * nothing under way is a failure only when this PE has not come to its own end soon after. Where deaths are
 * reported, the death of that PE is news of its own. */
static void note_lost(const struct sheaf_msg_peer *peer, const char *why)
{
    uint64_t wait_ns = sheaf_msg_bears_deaths() ? sheaf_times.connection_death
                                                : sheaf_times.connection_leaves;
    pthread_mutex_lock(&lost.lock);
    if (!lost.deadline) {
        lost.pe = peer->pe;
        lost.incarnation = peer->incarnation;
        snprintf(lost.why, sizeof lost.why, "%s", why);
        sheaf_store_release(&lost.deadline, sheaf_clock_ns() + wait_ns);
    }
    pthread_mutex_unlock(&lost.lock);
}

void sheaf_msg_lost(void *argument, const char *why)
{
    const struct sheaf_msg_peer *peer = argument;
    if (sheaf_load_relaxed(&sheaf_msg_state.is_stopping))
        return;
    if (!sheaf_msg_bears_deaths() &&
        (!sheaf_msg_is_idle(peer) || sheaf_load_acquire(&sheaf_msg_state.has_dead_host)))
        sheaf_msg_failed(peer->pe, "connection", why);
    if (!is_gone(peer->pe, peer->incarnation))
        note_lost(peer, why);
}

/* Whether a connection is still lost: 0, or the deadline, and whose connection it is. */
static uint64_t look_at_lost(int *pe, char *why)
{
    pthread_mutex_lock(&lost.lock);
    if (lost.deadline && is_gone(lost.pe, lost.incarnation))
        sheaf_store_release(&lost.deadline, 0);
    uint64_t deadline = lost.deadline;
    *pe = lost.pe;
    memcpy(why, lost.why, sizeof lost.why);
    pthread_mutex_unlock(&lost.lock);
    return deadline;
}

bool sheaf_msg_check_lost(void)
{
    int pe;
    char why[sizeof lost.why];
    if (sheaf_likely(sheaf_load_acquire(&lost.deadline) == 0))
        return false;
    uint64_t deadline = look_at_lost(&pe, why);
    if (deadline && sheaf_clock_ns() > deadline && !sheaf_load_relaxed(&sheaf_msg_state.is_stopping))
        sheaf_msg_failed(pe, "connection", why);
    return deadline != 0;
}

void sheaf_msg_forget_lost(void)
{
    sheaf_store_release(&lost.deadline, 0);
}
