/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reports a failure, in one phrase, to the layers above, which end the job.
 */
#include "engine/message/stream/operation.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/times.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The first connection that broke. These are copies: the peer is freed with its context, perhaps before
 * the deadline, and a transport may overwrite its reason. */
static struct {
    pthread_mutex_t lock; /* guards all below; the deadline is first read without it */
    int pe;
    uint32_t incarnation; /* incarnation of that PE */
    char why[256];
    uint64_t deadline; /* 0: no connection is lost */
} lost = {.lock = PTHREAD_MUTEX_INITIALIZER};

void sheaf_msg_failed(int pe, const char *what, const char *why)
{
    char text[320];
    const char *network = sheaf_msg_state.network_of ? sheaf_msg_state.network_of(pe)
                                                     : sheaf_msg_state.transport->title;
    snprintf(text, sizeof text, "%s: %s (%s)", what, why, network);
    if (sheaf_load_acquire(&sheaf_msg_state.has_dead_host))
        sheaf_msg_state.job.host_failed(pe, text);
    sheaf_msg_state.job.failed(pe, text);
}

void sheaf_msg_host_died(void)
{
    if (sheaf_msg_survives_deaths())
        return;
    sheaf_store_release(&sheaf_msg_state.has_dead_host, true);
}

static bool has_process_ended(int pe, uint32_t incarnation)
{
    return sheaf_msg_survives_deaths() && sheaf_msg_has_ended(pe, incarnation);
}

/* Notes a lost connection. A PE that leaves closes its connections, after the last barrier. So a
 * connection that breaks with nothing under way is a failure only if this PE does not end soon as well.
 * Where deaths are reported, that PE's death is reported separately. */
static void note_lost(const struct sheaf_msg_peer *peer, const char *why)
{
    uint64_t wait_ns = sheaf_msg_survives_deaths() ? sheaf_times.connection_death
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
    if (!sheaf_msg_survives_deaths() &&
        (!sheaf_msg_is_idle(peer) || sheaf_load_acquire(&sheaf_msg_state.has_dead_host)))
        sheaf_msg_failed(peer->pe, "connection", why);
    if (!has_process_ended(peer->pe, peer->incarnation))
        note_lost(peer, why);
}

/* Whether a connection is still lost: returns the deadline, with PE and reason, or 0. */
static uint64_t look_at_lost(int *pe, char *why)
{
    pthread_mutex_lock(&lost.lock);
    if (lost.deadline && has_process_ended(lost.pe, lost.incarnation))
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
