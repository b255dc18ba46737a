/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job in which every PE waits for another cannot continue, unless a process outside of it writes or
 * answers: so oshrun prints a warning once, and does not end the job. There is no warning while a PE
 * computes, is stopped or has exited: then the others wait for that one (missed.c). A PE that was stopped
 * and continues shows a long wait that may be over: it gets time to notice that, a second, or the limit
 * where that is less.
 */
#include "oshrun/supervise/supervise.h"

#include "base/clock.h"
#include "base/settings/env.h"
#include "base/times.h"
#include "oshrun/hosts/process.h"
#include "oshrun/supervise/board.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The limit of SHEAF_STALL, in nanoseconds. The library reports an invalid value. */
static uint64_t limit_ns(void)
{
    return sheaf_settings_seconds("SHEAF_STALL", SHEAF_STALL_NS);
}

/* The time since the last PE began to wait; 0 while one does not wait. */
static uint64_t all_wait_ns(const struct supervisor *supervisor)
{
    uint64_t shortest = UINT64_MAX;
    for (int pe = 0; pe < supervisor->options->npes; pe++) {
        uint64_t ns = sheaf_board_wait_ns(supervisor->job, pe);
        if (sheaf_deaths_has(supervisor, pe))
            continue;
        if (ns == 0 || supervisor->pes[pe].exited || sheaf_process_is_stopped(supervisor->pes[pe].pid))
            return 0;
        shortest = ns < shortest ? ns : shortest;
    }
    return shortest == UINT64_MAX ? 0 : shortest;
}

/* A value that changes with every wait of any PE; never 0. */
static uint64_t digest_of_waits(const struct supervisor *supervisor)
{
    uint64_t sum = 1;
    for (int pe = 0; pe < supervisor->options->npes; pe++) {
        const struct sheaf_board *board = &sheaf_control_pe(supervisor->job->control, pe)->board;
        sum = (sum ^ sheaf_load_acquire(&board->sequence)) * UINT64_C(0x100000001b3);
    }
    return sum ? sum : 1;
}

static void print_stall(struct supervisor *supervisor, uint64_t limit)
{
    char text[200];
    snprintf(text, sizeof text,
             "oshrun: every PE has waited for %g s, and the job goes on waiting (SHEAF_STALL) [SH907]\n",
             (double)limit / 1e9);
    sheaf_output_message(supervisor->output, text);
    sheaf_message_board(supervisor);
}

/* Whether a process has one thread: with more, the board shows one thread's wait, which another thread
 * may end. */
static bool has_one_thread(int pid)
{
    char path[40];
    struct stat threads;
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    return stat(path, &threads) == 0 && threads.st_nlink <= 2 + 1;
}

static bool is_cycle(const struct supervisor *supervisor)
{
    struct sheaf_report report;
    sheaf_board_take(&report, supervisor->job, supervisor->pes);
    bool found = sheaf_report_has_circle(&report);
    sheaf_report_free(&report);
    return found;
}

/* Reports PEs that wait for each other in a cycle. That is reported sooner than a job in which all PEs
 * wait for something: only the end of the job resolves a cycle, whatever the other PEs do. */
static void check_cycle(struct supervisor *supervisor, uint64_t now)
{
    int waiting = 0;
    if (supervisor->cycle_told || now < supervisor->cycle_look_ns)
        return;
    supervisor->cycle_look_ns = now + sheaf_times.circle_look;
    for (int pe = 0; pe < supervisor->options->npes; pe++)
        if (!supervisor->pes[pe].exited &&
            sheaf_board_wait_ns(supervisor->job, pe) >= sheaf_times.circle_waits) {
            waiting++;
            if (!has_one_thread(supervisor->pes[pe].pid))
                return;
        }
    if (waiting < 2 || !is_cycle(supervisor))
        return;
    supervisor->cycle_told = supervisor->stall_told = true;
    sheaf_output_message(supervisor->output,
                         "oshrun: PEs wait for each other, and none of them can go on [SH701]\n");
    sheaf_message_board(supervisor);
}

void sheaf_stall_check(struct supervisor *supervisor)
{
    uint64_t now = sheaf_clock_ns(), limit;
    if (supervisor->phase != RUNNING || supervisor->options->quiet || now < supervisor->stall_look_ns)
        return;
    supervisor->stall_look_ns = now + sheaf_times.stall_look;
    check_cycle(supervisor, now);
    if ((limit = limit_ns()) == 0)
        return;
    uint64_t seen = all_wait_ns(supervisor) < limit ? 0 : digest_of_waits(supervisor);
    if (seen != supervisor->stall_seen) {
        supervisor->stall_seen = seen;
        supervisor->stall_since_ns = now;
        supervisor->stall_told = false;
    }
    uint64_t moves_ns = limit < sheaf_times.stall_moves ? limit : sheaf_times.stall_moves;
    if (seen == 0 || supervisor->stall_told || now - supervisor->stall_since_ns < moves_ns)
        return;
    supervisor->stall_told = true;
    print_stall(supervisor, limit);
}
