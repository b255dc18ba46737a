/* SPDX-License-Identifier: BSD-3-Clause
 * The report of jobs that others have started: see why.h.
 */
#include "why.h"

#include "options.h"
#include "report/report.h"
#include "stacks.h"

#include "base/clock.h"
#include "boot/end/bell.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* The other hosts have 1.5 s (boot/whole/gather.c). */
#define PATIENCE (2 * SHEAF_SECOND)

static void print_head(const struct sheaf_report_job *job, bool is_whole)
{
    const struct sheaf_control *control = job->control;
    char name[160];
    sheaf_report_name_job(control, name, sizeof name);
    if (control->nodes == 1)
        printf("oshrun: %s\n", name);
    else if (is_whole)
        printf("oshrun: job of %d PEs on %d hosts\n", control->world_npes, control->nodes);
    else
        printf("oshrun: %s, because PE %d there, which asks the other hosts, %s\n", name,
               sheaf_control_pe(job->control, 0)->world_pe,
               sheaf_load_acquire(&sheaf_control_pe(job->control, 0)->bell_inode) != 0
                   ? "does not answer"
                   : "cannot: a statically linked program has no thread for that; ask on each host");
}

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
            if (report->pes[i].pe == near->pes[k].pe)
                report->pes[i].is_here = near->pes[k].is_here;
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

/* Asks the host's lowest PE for the report of all hosts, which takes the place of this host's. */
static bool ask_for_all(struct sheaf_report *report, const struct sheaf_report_job *job)
{
    const struct sheaf_control *control = job->control;
    const struct sheaf_pe *lowest = sheaf_control_pe(job->control, 0);
    uint32_t before = sheaf_load_acquire(&control->report_answered);
    uint64_t until = sheaf_clock_ns() + PATIENCE;
    if (!sheaf_bell_say(lowest, SHEAF_BELL_WRITE))
        return false;
    while (sheaf_load_acquire(&control->report_answered) == before && sheaf_clock_ns() < until)
        nanosleep(&(struct timespec){.tv_nsec = SHEAF_MILLISECOND}, NULL);
    int fd = sheaf_load_acquire(&control->report_answered) == before
                 ? -1
                 : open_answer(control, sheaf_load_relaxed(&lowest->pid));
    bool is_whole = fd >= 0 && read_answer(report, control, fd);
    if (fd >= 0)
        close(fd);
    return is_whole;
}

static void show(const struct sheaf_report_job *job, const struct options *options)
{
    struct sheaf_report report;
    if (sheaf_report_take(&report, job->control) != 0)
        sheaf_die(1, "out of memory");
    bool is_whole = job->control->nodes == 1 || ask_for_all(&report, job);
    if (options->json) {
        sheaf_report_print_json(&report, stdout);
    } else {
        print_head(job, is_whole);
        sheaf_report_print(&report, stdout);
    }
    if (options->stacks)
        sheaf_stacks_print(&report, stdout);
    sheaf_report_free(&report);
}

static int show_all(const struct options *options)
{
    struct sheaf_report_job *jobs;
    int count = sheaf_report_find_jobs(&jobs);
    for (int i = 0; i < count; i++) {
        show(&jobs[i], options);
        sheaf_report_close_job(&jobs[i]);
    }
    free(jobs);
    if (!count)
        sheaf_die(1, "--why: no job of yours is running here");
    return 0;
}

int sheaf_why(const struct options *options)
{
    int pid = options->why_pid;
    struct sheaf_report_job job;
    if (access("/proc/self", F_OK))
        sheaf_die(1, "--why looks for jobs in /proc, which is not mounted here");
    if (!pid)
        return show_all(options);
    if (sheaf_report_open_job(&job, pid))
        sheaf_die(1, "--why %d: no oshrun of yours with that process id", pid);
    show(&job, options);
    sheaf_report_close_job(&job);
    return 0;
}
