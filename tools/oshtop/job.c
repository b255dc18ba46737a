/* SPDX-License-Identifier: BSD-3-Clause
 * See job.h.
 */
#include "job.h"

#include "die.h"
#include "process.h"
#include "traffic.h"

#include "../common/ask.h"
#include "base/clock.h"
#include "base/times.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>


/* Of a PE at the snapshot before. */
struct top_past {
    uint64_t ns; /* 0: there was none */
    int pid;
    uint64_t cpu_ns;
    int profile; /* descriptor; -1: none */
    struct top_count near, far;
    bool has_near;
};

static void *make(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        top_die(1, "SH904 out of memory");
    return memory;
}

/* The area's numbers are copied once: whoever writes it is not asked again. */
static void prepare(struct top_job *job)
{
    struct sheaf_control *control = job->source.control;
    struct top_process launcher = {0, 0};
    int nodes = control->nodes;
    job->world_npes = control->world_npes > control->npes ? control->world_npes : control->npes;
    job->npes = nodes > 1 ? job->world_npes : control->npes;
    job->is_apart = control->is_apart;
    job->has_far = nodes > 1 || job->is_apart;
    job->pes = make((size_t)job->npes, sizeof *job->pes);
    job->past = make((size_t)job->npes, sizeof *job->past);
    job->is_near = make((size_t)job->world_npes, sizeof *job->is_near);
    for (int pe = 0; pe < job->npes; pe++)
        job->past[pe].profile = -1;
    for (int pe = 0; pe < job->world_npes && !job->is_apart; pe++)
        job->is_near[pe] =
            nodes == 1 || sheaf_control_location(control, pe)->node == control->node;
    if (nodes > 1)
        snprintf(job->name, sizeof job->name, "job of %d PEs on %d hosts", job->world_npes, nodes);
    else
        sheaf_report_name_job(control, job->name, sizeof job->name);
    top_process_read(control->launcher_pid, &launcher);
    job->launcher_started = launcher.started;
}

void top_jobs_open(struct top_jobs *jobs, int pid)
{
    struct sheaf_report_job one, *found = &one;
    if (access("/proc/self", F_OK))
        top_die(1, "SH911 jobs are found in /proc, which is not mounted here");
    if (pid && sheaf_report_open_job(&one, pid))
        top_die(1, "SH911 %d: no oshrun or PE of yours with that process id", pid);
    jobs->count = pid ? 1 : sheaf_report_find_jobs(&found);
    if (!jobs->count)
        top_die(1, "SH911 no job of yours is running here");
    jobs->jobs = make((size_t)jobs->count, sizeof *jobs->jobs);
    for (int i = 0; i < jobs->count; i++) {
        jobs->jobs[i].source = found[i];
        prepare(&jobs->jobs[i]);
    }
    if (!pid)
        free(found);
}

void top_jobs_close(struct top_jobs *jobs)
{
    for (int i = 0; i < jobs->count; i++) {
        struct top_job *job = &jobs->jobs[i];
        for (int pe = 0; pe < job->npes; pe++)
            if (job->past[pe].profile >= 0)
                close(job->past[pe].profile);
        free(job->pes);
        free(job->past);
        free(job->is_near);
        sheaf_report_close_job(&job->source);
    }
    free(jobs->jobs);
}

static double per_second(uint64_t now, uint64_t before, double seconds)
{
    return now < before ? -1 : (double)(now - before) / seconds;
}

static struct top_rate rate_of(struct top_count now, struct top_count before, double seconds)
{
    return (struct top_rate){per_second(now.operations, before.operations, seconds),
                             per_second(now.bytes, before.bytes, seconds)};
}

/* A PE begins its profile in shmem_init. What is near is counted by it alone; what is far the PE
 * has counted itself. */
static void read_traffic(struct top_job *job, const struct sheaf_report_pe *pe,
                         struct top_past *now)
{
    struct top_count unused;
    bool *mine = pe->pe >= 0 && pe->pe < job->world_npes ? &job->is_near[pe->pe] : NULL;
    now->far = (struct top_count){pe->usage.far_operations, pe->usage.far_bytes};
    if (now->profile < 0 && pe->is_here && pe->state >= SHEAF_PE_INITIALIZED)
        now->profile = top_traffic_open(pe->pid, pe->pe);
    if (now->profile < 0 || !mine)
        return;
    *mine = true;
    now->has_near =
        top_traffic_read(now->profile, job->is_near, job->world_npes, &now->near, &unused);
    *mine = !job->is_apart;
}

/* place: of the PE in the job; i: in the report. */
static void take_pe(struct top_job *job, int place, const struct sheaf_report *report, int i)
{
    const struct sheaf_report_pe *pe = &report->pes[i];
    struct top_past before = job->past[place], now = {.ns = sheaf_clock_ns(), .pid = pe->pid,
                                                      .profile = before.profile};
    struct top_pe *shown = &job->pes[place];
    double seconds = (double)(now.ns - before.ns) / SHEAF_SECOND;
    bool is_same = before.ns && before.pid == now.pid, is_there = pe->life <= SHEAF_LIFE_STOPPED;
    *shown = (struct top_pe){.pe = pe->pe, .pid = pe->pid, .wait = -1, .cpu = -1, .heap = -1,
                             .near = {-1, -1}, .far = {-1, -1}};
    snprintf(shown->host, sizeof shown->host, "%s", pe->host);
    sheaf_report_row(report, i, &shown->row);
    now.cpu_ns = pe->cpu_ns;
    if (is_there && pe->state == SHEAF_PE_INITIALIZED) {
        shown->heap = (double)pe->usage.heap_bytes;
        shown->usage = pe->usage;
        shown->wait = pe->wait_ns ? (double)pe->wait_ns / SHEAF_SECOND : -1;
    }
    read_traffic(job, pe, &now);
    job->past[place] = now;
    if (!is_there || !is_same)
        return;
    if (now.cpu_ns != SHEAF_CPU_UNKNOWN)
        shown->cpu = per_second(now.cpu_ns, before.cpu_ns, seconds) / SHEAF_SECOND * 100;
    shown->far = rate_of(now.far, before.far, seconds);
    if (now.has_near && before.has_near)
        shown->near = rate_of(now.near, before.near, seconds);
}

/* A job under another launcher has none: it ends with its PEs. */
static bool launcher_runs(const struct top_job *job)
{
    struct top_process launcher;
    return job->launcher_started &&
           top_process_read(job->source.control->launcher_pid, &launcher) &&
           launcher.started == job->launcher_started;
}

/* Of a job on several hosts PEs may be missing in a report. */
static void forget(struct top_job *job)
{
    struct sheaf_control *control = job->source.control;
    for (int pe = 0; pe < job->npes && control->nodes > 1; pe++) {
        struct top_pe *shown = &job->pes[pe];
        int node = sheaf_control_location(control, pe)->node;
        *shown = (struct top_pe){.pe = pe, .row.state = "unknown", .wait = -1, .cpu = -1, .heap = -1,
                                 .near = {-1, -1}, .far = {-1, -1}};
        if (node >= 0 && node < control->nodes)
            snprintf(shown->host, sizeof shown->host, "%.59s", sheaf_control_node(control, node)->host);
    }
}

/* Who does not answer is let alone for some snapshots: each would wait for it. */
static void add_other_hosts(struct top_job *job, struct sheaf_report *report)
{
    if (job->source.control->nodes > 1 && sheaf_clock_ns() >= job->ask_from_ns &&
        !sheaf_ask_for_all(report, &job->source))
        job->ask_from_ns = sheaf_clock_ns() + sheaf_times.oshtop_asks_again;
}

static void take(struct top_job *job)
{
    struct sheaf_report report;
    bool any = false;
    if (job->has_ended)
        return;
    if (sheaf_report_take_job(&report, &job->source) != 0)
        top_die(1, "SH904 out of memory");
    add_other_hosts(job, &report);
    forget(job);
    for (int i = 0; i < report.npes; i++) {
        int place = job->source.control->nodes > 1 ? report.pes[i].pe : i;
        if (place >= 0 && place < job->npes)
            take_pe(job, place, &report, i);
        any |= report.pes[i].is_here != 0;
    }
    sheaf_report_free(&report);
    job->has_ended = !any && !launcher_runs(job);
}

void top_jobs_take(struct top_jobs *jobs)
{
    for (int i = 0; i < jobs->count; i++)
        take(&jobs->jobs[i]);
}

bool top_jobs_run(const struct top_jobs *jobs)
{
    for (int i = 0; i < jobs->count; i++)
        if (!jobs->jobs[i].has_ended)
            return true;
    return false;
}
