/* SPDX-License-Identifier: BSD-3-Clause
 * See stall.h.
 *
 * Hosts answer one after the other, and a PE that was stopped meanwhile shows a long wait that is over:
 * so a report needs two looks, between which no PE has moved. A PE that does not wait now cannot have
 * waited for the limit before that much time: until then nobody looks.
 */
#include "boot/job_report/stall.h"

#include "base/clock.h"
#include "base/settings/env.h"
#include "base/times.h"
#include "boot/job_report/finish.h"
#include "boot/job_report/gather.h"
#include "boot/job_report/tell.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t limit_ns;  /* 0: nobody looks */
static uint64_t due_ns;
static uint64_t seen, told; /* what the PEs had done at the last look, and when it was told */

static uint64_t left_due_ns, left_seen, left_pause_ns; /* where a PE of this node has left */

/* A value that is no number of seconds is refused in shmem_init. */
void sheaf_stall_start(void)
{
    left_pause_ns = sheaf_times.missed_pause_first;
    if (sheaf_boot.pe != 0)
        return;
    limit_ns = sheaf_settings_seconds("SHEAF_STALL", SHEAF_STALL_NS);
    due_ns = sheaf_clock_ns() + limit_ns;
}

static void look_again(uint64_t after_ns)
{
    due_ns = sheaf_clock_ns() + (after_ns > sheaf_times.stall_look ? after_ns : sheaf_times.stall_look);
}

static void say(struct sheaf_report *report)
{
    char line[120];
    snprintf(line, sizeof line, "every PE has waited for %g s, and the job goes on waiting (SHEAF_STALL) "
    "[SH907]",
             (double)limit_ns / 1e9);
    sheaf_tell_print_after(report, line);
}

/* The time since the last PE came to wait; 0 while one does not, or nothing is known of it. */
static uint64_t all_wait_ns(const struct sheaf_report *report)
{
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < report->npes; i++) {
        uint64_t ns = report->pes[i].life == SHEAF_LIFE_RUNS ? report->pes[i].wait_ns : 0;
        shortest = ns < shortest ? ns : shortest;
    }
    return report->npes == report->world_npes ? shortest : 0;
}

/* Changes with every wait and every call of any PE; not 0. */
static uint64_t digest_of(const struct sheaf_report *report)
{
    uint64_t sum = 1;
    for (int i = 0; i < report->npes; i++) {
        const struct sheaf_report_pe *pe = &report->pes[i];
        sum = (sum ^ pe->board.sequence) * UINT64_C(0x100000001b3);
        sum = (sum ^ pe->recorder.begun) * UINT64_C(0x100000001b3);
    }
    return sum ? sum : 1;
}

static void judge(struct sheaf_report *report)
{
    uint64_t waited = all_wait_ns(report), now = waited < limit_ns ? 0 : digest_of(report);
    uint64_t moves_ns = limit_ns < sheaf_times.stall_moves ? limit_ns : sheaf_times.stall_moves;
    bool is_first = now != seen;
    seen = now;
    look_again(now == 0 ? limit_ns - waited : is_first ? moves_ns : limit_ns);
    if (now == 0 || is_first || now == told)
        return;
    told = now;
    say(report);
}

static uint64_t near_wait_ns(void)
{
    struct sheaf_control *control = sheaf_image.control;
    uint64_t shortest = UINT64_MAX;
    for (int slot = 0; slot < control->npes; slot++) {
        uint64_t ns = sheaf_report_wait_ns(sheaf_control_pe(control, slot));
        shortest = ns < shortest ? ns : shortest;
    }
    return shortest;
}

static bool node_was_left(void)
{
    struct sheaf_control *control = sheaf_image.control;
    int slot = 0;
    while (slot < control->npes &&
           sheaf_load_acquire(&sheaf_control_pe(control, slot)->state) != SHEAF_PE_LEFT)
        slot++;
    return slot < control->npes;
}

/* All others wait, one of them at least for something else than the end: the first that left says so. */
static void judge_left(struct sheaf_report *report)
{
    const struct sheaf_report_pe *left = NULL;
    bool waits_for_more = false;
    for (int i = 0; i < report->npes; i++) {
        const struct sheaf_report_pe *pe = &report->pes[i];
        left = !left && pe->state == SHEAF_PE_LEFT ? pe : left;
        waits_for_more |= pe->state != SHEAF_PE_LEFT && strcmp(pe->board.call, "shmem_finalize") != 0;
    }
    bool is_here = left && waits_for_more && sheaf_boot_node_of(left->pe) == sheaf_boot.node;
    uint64_t before = left_seen;
    left_seen = is_here && all_wait_ns(report) >= sheaf_times.stall_moves ? digest_of(report) : 0;
    if (left_seen == 0 || left_seen != before)
        return;
    char line[120];
    snprintf(line, sizeof line, "PE %d exited without shmem_finalize, and all others wait: the job ends "
    "[SH908]",
             left->pe);
    sheaf_tell_print_after(report, line);
    sheaf_tell_keep(report);
    sheaf_finish(EXIT_FAILURE);
}

/* Whether this is asked now. */
static bool ask_for_left(void)
{
    uint64_t now = sheaf_clock_ns();
    if (now < left_due_ns || !node_was_left())
        return false;
    left_due_ns = now + left_pause_ns;
    if (near_wait_ns() < sheaf_times.stall_moves || !sheaf_gather_begin(SHEAF_GATHER_QUIET, judge_left))
        return false;
    uint64_t next = 2 * left_pause_ns;
    left_pause_ns = next < sheaf_times.missed_pause_most ? next : sheaf_times.missed_pause_most;
    return true;
}

void sheaf_stall_begin(void)
{
    if (ask_for_left())
        return;
    if (limit_ns == 0 || sheaf_clock_ns() < due_ns)
        return;
    uint64_t waited = near_wait_ns();
    if (waited < limit_ns)
        look_again(limit_ns - waited);
    else if (sheaf_gather_begin(SHEAF_GATHER_QUIET, judge))
        look_again(limit_ns);
}

int sheaf_stall_due_ms(void)
{
    uint64_t now = sheaf_clock_ns(), due = limit_ns ? due_ns : UINT64_MAX;
    if (node_was_left() && left_due_ns < due)
        due = left_due_ns;
    if (due == UINT64_MAX)
        return -1;
    uint64_t ms = due > now ? (due - now) / SHEAF_MILLISECOND + 1 : 0;
    return ms < INT_MAX ? (int)ms : INT_MAX;
}
