/* SPDX-License-Identifier: BSD-3-Clause
 * See job_report.h.
 *
 * A node's lowest PE answers; another one that is asked passes that on to it, and where it does not
 * take it (it may be stopped) tells what it sees itself, which is its node's part.
 */
#include "boot/job_report/job_report.h"

#include "base/atomic.h"
#include "base/clock.h"
#include "base/times.h"
#include "boot/end/wake_pipe.h"
#include "boot/end/exit_claim.h"
#include "boot/end/watch.h"
#include "boot/job_report/finish.h"
#include "boot/job_report/gather.h"
#include "boot/job_report/judge.h"
#include "boot/job_report/limit.h"
#include "boot/job_report/stall.h"
#include "boot/job_report/tell.h"
#include "boot/world/world.h"
#include "image/image.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static bool is_to_print, is_to_write, is_to_stack; /* asked, and not begun */
static uint64_t printed_ns;           /* when that was begun; 0: never */
static uint64_t passed_ns;            /* not the lowest PE: when a question was passed on; 0: none is */
static uint32_t heard_before;

static struct sheaf_pe *lowest(void)
{
    return sheaf_control_pe(sheaf_image.control, 0);
}

static bool is_recent(uint64_t then, uint64_t now)
{
    return then != 0 && now - then < sheaf_times.report_same;
}

static bool was_just_asked(void)
{
    uint64_t now = sheaf_clock_ns();
    return is_recent(printed_ns, now) || is_recent(sheaf_gather_other_ns(SHEAF_GATHER_PRINT), now);
}

static void hear(unsigned words)
{
    uint32_t *heard = &sheaf_image.control->report_heard;
    if (words)
        sheaf_store_release(heard, *heard + 1);
    is_to_write |= (words & SHEAF_WAKE_WRITE) != 0;
    is_to_stack |= (words & SHEAF_WAKE_STACKS) != 0;
    if (words & SHEAF_WAKE_KEEP)
        sheaf_gather_keep();
    if (words & SHEAF_WAKE_JUDGE)
        sheaf_judge_soon();
    if (words & SHEAF_WAKE_PRINT && !was_just_asked()) {
        printed_ns = sheaf_clock_ns();
        is_to_print = true;
    }
}

static void begin(void)
{
    if (is_to_print && sheaf_gather_begin(SHEAF_GATHER_PRINT, sheaf_tell_print))
        is_to_print = false;
    else if (is_to_write && sheaf_gather_begin(SHEAF_GATHER_QUIET, sheaf_tell_write))
        is_to_write = false;
    else if (is_to_stack && sheaf_gather_begin(SHEAF_GATHER_STACKS, sheaf_tell_write_stacks))
        is_to_stack = false;
    else
        sheaf_limit_begin();
    if (!sheaf_gather_is_under_way())
        sheaf_judge_begin();
    if (!sheaf_gather_is_under_way())
        sheaf_stall_begin();
}

static int sooner(int one, int other)
{
    return one < 0 || (other >= 0 && other < one) ? other : one;
}

static int lead(unsigned words)
{
    int due;
    hear(words);
    if (!sheaf_gather_is_under_way())
        begin();
    due = sheaf_gather_turn();
    if (sheaf_gather_is_under_way())
        return due;
    due = sooner(due, sooner(sheaf_judge_due_ms(), sooner(sheaf_limit_due_ms(), sheaf_stall_due_ms())));
    return is_to_print || is_to_write || is_to_stack ? 0 : due;
}

/* Passes the question on, and sees to it that it is heard. */
static int follow(unsigned words)
{
    uint32_t heard = sheaf_load_acquire(&sheaf_image.control->report_heard);
    if (words & SHEAF_WAKE_PRINT && passed_ns == 0) {
        passed_ns = sheaf_clock_ns();
        heard_before = heard;
        sheaf_wake_pipe_send(lowest(), SHEAF_WAKE_PRINT);
    }
    if (passed_ns == 0)
        return -1;
    uint64_t passed = sheaf_clock_ns() - passed_ns;
    if (heard == heard_before && passed < sheaf_times.report_heard)
        return (int)((sheaf_times.report_heard - passed) / SHEAF_MILLISECOND) + 1;
    if (heard == heard_before)
        sheaf_tell_node();
    passed_ns = 0;
    return -1;
}

static int turn(unsigned words)
{
    return sheaf_boot.slot == 0 ? lead(words) : follow(words);
}

/* The file is some hundred KiB at most, and written by the lowest PE, which is not the one that dies where
 * there are several. */
void sheaf_job_report_keep(void)
{
    if (sheaf_tell_folder() && sheaf_wake_pipe_exists() && sheaf_wake_pipe_send(lowest(), SHEAF_WAKE_KEEP))
        poll(NULL, 0, sheaf_times_ms(sheaf_times.report_kept));
}

/* A child that a PE forked dies of it, as it would have. */
static void on_quit(int number)
{
    int error = errno;
    if (sheaf_image.is_forked) {
        signal(number, SIG_DFL);
        raise(number);
    } else {
        sheaf_wake_pipe_send_own(SHEAF_WAKE_PRINT);
    }
    errno = error;
}

/* A program's own handler stays. */
static void take_signal(void)
{
    struct sigaction now = {.sa_handler = on_quit, .sa_flags = SA_RESTART}, before;
    sigemptyset(&now.sa_mask);
    if (sigaction(SIGQUIT, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGQUIT, &now, NULL);
}

void sheaf_job_report_start(void (*end)(int status))
{
    sheaf_exit_claim_set_heard(sheaf_tell_keep_node);
    if (sheaf_image.is_static)
        return;
    if (sheaf_boot.slot == 0 && sheaf_boot.nodes > 1)
        sheaf_gather_open();
    sheaf_stall_start();
    sheaf_limit_start();
    sheaf_judge_start();
    sheaf_finish_set_end(end);
    sheaf_watch_set_task(turn);
    take_signal();
}
