/* SPDX-License-Identifier: BSD-3-Clause
 * See ask.h.
 */
#include "ask.h"

#include "base/clock.h"
#include "base/times.h"
#include "boot/end/wake_pipe.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>


/* The answer of the host's lowest PE: -1 where it is not there any more. */
static int open_answer(const struct sheaf_control *control, int pid)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, control->report_file);
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool is_it = fd >= 0 && fstat(fd, &file) == 0 && S_ISREG(file.st_mode) &&
                 (uint32_t)file.st_ino == sheaf_load_acquire(&control->report_inode);
    if (fd >= 0 && !is_it)
        close(fd);
    return is_it ? fd : -1;
}

/* What is known here of the PEs of this host: that they are its processes. */
static void add_near(struct sheaf_report *report, const struct sheaf_report *near)
{
    for (int i = 0; i < report->npes; i++)
        for (int k = 0; k < near->npes; k++)
            if (report->pes[i].pe == near->pes[k].pe) {
                report->pes[i].is_here = near->pes[k].is_here;
                report->pes[i].pid = near->pes[k].pid;
            }
}

static bool read_answer(struct sheaf_report *report, const struct sheaf_control *control, int fd)
{
    struct sheaf_report whole = {.prefix = report->prefix};
    bool is_read = sheaf_report_read(&whole, fd) == 0 && whole.npes == control->world_npes;
    if (is_read) {
        add_near(&whole, report);
        struct sheaf_report near = *report;
        *report = whole;
        whole = near;
    }
    sheaf_report_free(&whole);
    return is_read;
}

/* The process of the host's lowest PE, by its number here; 0: it cannot be seen from here. */
static int find_lowest(const struct sheaf_report *report, const struct sheaf_pe *lowest)
{
    for (int i = 0; i < report->npes; i++)
        if (report->pes[i].pe == lowest->world_pe && report->pes[i].is_here)
            return report->pes[i].pid;
    return 0;
}

/* Rings the host's lowest PE, and opens its answer: -1 where there is none in time. */
static int ask(const struct sheaf_report *report, const struct sheaf_control *control,
               enum sheaf_wake_word word, uint64_t most_ns)
{
    const struct sheaf_pe *lowest = sheaf_control_pe((struct sheaf_control *)control, 0);
    int pid = find_lowest(report, lowest);
    uint32_t before = sheaf_load_acquire(&control->report_answered);
    uint64_t until = sheaf_clock_ns() + most_ns;
    const struct timespec look = sheaf_times_spec(sheaf_times.report_asked_look);
    if (pid == 0 || !sheaf_wake_pipe_send_to(lowest, pid, word))
        return -1;
    while (sheaf_load_acquire(&control->report_answered) == before && sheaf_clock_ns() < until)
        nanosleep(&look, NULL);
    return sheaf_load_acquire(&control->report_answered) == before ? -1 : open_answer(control, pid);
}

bool sheaf_ask_for_all(struct sheaf_report *report, const struct sheaf_report_job *job)
{
    int fd = ask(report, job->control, SHEAF_WAKE_WRITE, sheaf_times.report_asked);
    bool is_whole = fd >= 0 && read_answer(report, job->control, fd);
    if (fd >= 0)
        close(fd);
    return is_whole;
}

int sheaf_ask_for_stacks(const struct sheaf_report *report, const struct sheaf_report_job *job)
{
    return ask(report, job->control, SHEAF_WAKE_STACKS,
               sheaf_times.stacks_most + sheaf_times.stacks_asked_more);
}
