/* SPDX-License-Identifier: BSD-3-Clause
 * Prints the report of jobs that other processes have started: see why.h.
 */
#include "oshrun/supervise/why.h"

#include "common/ask.h"
#include "oshrun/command/options.h"
#include "oshrun/command/say.h"
#include "oshrun/supervise/stacks.h"

#include <stdlib.h>
#include <unistd.h>

/* Why the host's lowest PE does not tell what the other hosts' do. */
static const char *why_not_told(const struct sheaf_report_job *job, const struct sheaf_report *report)
{
    const struct sheaf_pe *lowest = sheaf_control_pe(job->control, 0);
    if (job->control->launcher_pid == 0 && !report->pes[0].is_here)
        return "is in another container: ask there, or on the host itself";
    return sheaf_load_acquire(&lowest->wake_pipe_inode) != 0
               ? "does not answer"
               : "cannot: a statically linked program has no thread for that; ask on each host";
}

static void print_head(const struct sheaf_report_job *job, const struct sheaf_report *report, bool is_whole)
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
               sheaf_control_pe(job->control, 0)->world_pe, why_not_told(job, report));
}

static void show_job(const struct sheaf_report_job *job, const struct options *options)
{
    struct sheaf_report report;
    if (sheaf_report_take_job(&report, job) != 0)
        sheaf_die(1, "out of memory");
    if (options->stacks_here) {
        sheaf_stacks_print(&report, stdout);
        sheaf_report_free(&report);
        return;
    }
    sheaf_report_see_polls(&report, job->control);
    bool is_whole = job->control->nodes == 1 || sheaf_ask_for_all(&report, job);
    if (options->json) {
        sheaf_report_print_json(&report, stdout);
    } else {
        print_head(job, &report, is_whole);
        sheaf_report_print(&report, stdout);
    }
    if (options->stacks) {
        sheaf_stacks_print(&report, stdout);
        sheaf_stacks_print_elsewhere(&report, job, stdout);
    }
    sheaf_report_free(&report);
}

static int show_all(const struct options *options)
{
    struct sheaf_report_job *jobs;
    int count = sheaf_report_find_jobs(&jobs);
    for (int i = 0; i < count; i++) {
        show_job(&jobs[i], options);
        sheaf_report_close_job(&jobs[i]);
    }
    free(jobs);
    if (!count)
        sheaf_die(1, "SH911 --why: no job of yours is running here");
    return 0;
}

int sheaf_why(const struct options *options)
{
    int pid = options->why_pid;
    struct sheaf_report_job job;
    if (access("/proc/self", F_OK))
        sheaf_die(1, "SH911 --why looks for jobs in /proc, which is not mounted here");
    if (!pid)
        return show_all(options);
    if (sheaf_report_open_job(&job, pid))
        sheaf_die(1, "SH911 --why %d: no oshrun of yours with that process id", pid);
    show_job(&job, options);
    sheaf_report_close_job(&job);
    return 0;
}
