/* SPDX-License-Identifier: BSD-3-Clause
 * See judge.h.
 *
 * The report has each PE's last calls, with their numbers in the team, so what two PEs have called is
 * compared whatever they do now: a slow PE is never taken for a wrong one. A host asks once its PEs have
 * waited in a collective for a second and a while that grows with the hosts and its place among them, and
 * again when they have waited for half as long again: as each hears of the others' questions, one host asks
 * for all.
 */
#include "boot/job_report/judge.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/times.h"
#include "boot/end/wake_pipe.h"
#include "boot/end/exit_claim.h"
#include "boot/job_report/finish.h"
#include "boot/job_report/gather.h"
#include "boot/job_report/tell.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <poll.h>
#include <stdbool.h>

static bool is_asked;
static uint64_t due_ns; /* 0: never */
static uint64_t asked_ns; /* this host did, last */

void sheaf_judge_start(void)
{
    if (sheaf_boot.nodes > 1)
        due_ns = sheaf_clock_ns() + sheaf_times.call_wait_look;
}

void sheaf_judge_ask(void)
{
    const struct sheaf_pe *lowest = sheaf_control_pe(sheaf_image.control, 0);
    if (sheaf_image.job && sheaf_image.job->is_apart) {
        sheaf_store_release(&sheaf_image.job->calls_differ, 1);
        poll(NULL, 0, sheaf_times_ms(sheaf_times.call_answer_oshrun));
    } else if (sheaf_wake_pipe_exists() && sheaf_wake_pipe_send(lowest, SHEAF_WAKE_JUDGE)) {
        poll(NULL, 0, sheaf_times_ms(sheaf_times.call_answer));
    }
}

void sheaf_judge_soon(void)
{
    is_asked = true;
}

static void judge(struct sheaf_report *report)
{
    char text[SHEAF_REPORT_MISMATCH];
    if (!sheaf_report_first_mismatch(report, text) || !sheaf_exit_claim_end(1))
        return;
    due_ns = 0;
    sheaf_error("SH120 %s", text);
    sheaf_tell_keep(report);
    sheaf_finish(1);
}

static uint64_t last_asked_ns(void)
{
    uint64_t other = sheaf_gather_other_ns(SHEAF_GATHER_JUDGE);
    return other > asked_ns ? other : asked_ns;
}

/* When a wait that began then is to be looked at. */
static uint64_t due_of(uint64_t since)
{
    uint64_t each = sheaf_times.call_wait_host, most = sheaf_times.call_wait_most, last = last_asked_ns();
    uint64_t all = sheaf_times.call_wait_first + each * (uint64_t)sheaf_boot.nodes;
    uint64_t first = since + all + each * (uint64_t)sheaf_boot.node;
    if (last < since + sheaf_times.call_wait_first)
        return first > last + all ? first : last + all;
    uint64_t pause = (last - since) / 2;
    return last + (pause < all ? all : pause < most ? pause : most);
}

/* The first of this node's waits to be looked at. */
static uint64_t next_due(uint64_t now)
{
    struct sheaf_control *control = sheaf_image.control;
    uint64_t due = now + sheaf_times.call_wait_look;
    for (int slot = 0; slot < control->npes; slot++) {
        const struct sheaf_board *board = &sheaf_control_pe(control, slot)->board;
        bool is_in = sheaf_load_acquire(&board->kind) == SHEAF_WAIT_COLLECTIVE; /* partner: wait.c */
        uint64_t since = sheaf_load_relaxed(&board->since_ns);
        if (is_in && since <= now && due_of(since) < due)
            due = due_of(since);
    }
    return due;
}

void sheaf_judge_begin(void)
{
    uint64_t now = sheaf_clock_ns();
    if (due_ns == 0 || (!is_asked && now < due_ns))
        return;
    due_ns = next_due(now);
    if ((is_asked || due_ns <= now) && sheaf_gather_begin(SHEAF_GATHER_JUDGE, judge)) {
        is_asked = false;
        asked_ns = now;
        due_ns = now + sheaf_times.call_wait_look;
    }
}

int sheaf_judge_due_ms(void)
{
    uint64_t now = sheaf_clock_ns();
    if (due_ns == 0)
        return -1;
    return due_ns > now && !is_asked ? (int)((due_ns - now) / SHEAF_MILLISECOND) + 1 : 0;
}
