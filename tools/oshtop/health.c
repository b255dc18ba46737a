/* SPDX-License-Identifier: BSD-3-Clause
 * See health.h.
 */
#include "health.h"

#include "../common/ask.h"
#include "base/clock.h"
#include "base/times.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TEXT       512
#define MOST_TEAMS 64 /* of a job, in an answer */

static const char *const verdicts[] = {NULL, "circle", "calls differ", "ended"};

struct job_health {
    struct sheaf_report_job source;
    struct sheaf_report report;
    struct sheaf_health health;
};

struct top_healths {
    int count;
    struct job_health *jobs;
};

/* A job of which a host does not answer is not asked again for a while: each question would wait for it. */
#define UNANSWERED 16
static struct {
    uint64_t job_id, ask_from_ns;
} unanswered[UNANSWERED];

static bool is_unanswered(uint64_t job_id)
{
    for (int i = 0; i < UNANSWERED; i++)
        if (unanswered[i].job_id == job_id && sheaf_clock_ns() < unanswered[i].ask_from_ns)
            return true;
    return false;
}

static void note_unanswered(uint64_t job_id)
{
    static unsigned next;
    unanswered[next].job_id = job_id;
    unanswered[next].ask_from_ns = sheaf_clock_ns() + sheaf_times.oshtop_asks_again;
    next = (next + 1) % UNANSWERED;
}

static int take_report(struct sheaf_report *report, const struct sheaf_report_job *source)
{
    uint64_t job_id = source->control->job_id;
    if (sheaf_report_take_job(report, source) != 0)
        return -1;
    if (source->control->nodes > 1 && !is_unanswered(job_id) && !sheaf_ask_for_all(report, source))
        note_unanswered(job_id);
    report->prefix = "";
    return 0;
}

static int take_job(struct job_health *job, const struct sheaf_report_job *source)
{
    struct sheaf_report before;
    job->source = *source;
    if (take_report(&before, source) != 0)
        return -1;
    int failed = take_report(&job->report, source);
    if (failed == 0)
        failed = sheaf_health_judge(&job->health, &before, &job->report,
                                    source->control->reports_failures);
    sheaf_report_free(&before);
    if (failed)
        sheaf_report_free(&job->report);
    return failed;
}

struct top_healths *top_healths_take(int pid)
{
    struct sheaf_report_job one, *found = &one;
    struct top_healths *healths = calloc(1, sizeof *healths);
    int count = pid ? sheaf_report_open_job(&one, pid) == 0 : sheaf_report_find_jobs(&found);
    if (healths)
        healths->jobs = calloc((size_t)count + 1, sizeof *healths->jobs);
    for (int i = 0; i < count; i++)
        if (healths && healths->jobs && take_job(&healths->jobs[healths->count], &found[i]) == 0)
            healths->count++;
        else
            sheaf_report_close_job(&found[i]);
    if (!pid)
        free(found);
    if (healths && !healths->jobs) {
        free(healths);
        healths = NULL;
    }
    return healths;
}

void top_healths_free(struct top_healths *healths)
{
    for (int i = 0; i < healths->count; i++) {
        sheaf_health_free(&healths->jobs[i].health);
        sheaf_report_free(&healths->jobs[i].report);
        sheaf_report_close_job(&healths->jobs[i].source);
    }
    free(healths->jobs);
    free(healths);
}

static unsigned long long id_of(const struct job_health *job)
{
    return job->source.control->job_id;
}

static double seconds_of(uint64_t ns)
{
    return (double)ns / SHEAF_SECOND;
}

static void print_member(const char *name, const char *text, FILE *out)
{
    fprintf(out, ", \"%s\": ", name);
    if (text)
        sheaf_report_print_text(text, out);
    else
        fputs("null", out);
}

static void print_rank(const struct job_health *job, int index, FILE *out)
{
    char text[TEXT];
    const struct sheaf_report_pe *pe = &job->report.pes[index];
    sheaf_report_describe(&job->report, pe, text, sizeof text);
    fprintf(out, "{\"pe\": %d, \"pid\": %d", pe->pe, pe->pid);
    print_member("host", pe->host, out);
    print_member("does", text, out);
    fprintf(out, ", \"awaited_by\": %d, \"seconds\": %.3f", job->health.pes[index].waiters,
            seconds_of(job->health.pes[index].awaited_ns));
    if (pe->cpu_ns != SHEAF_CPU_UNKNOWN)
        fprintf(out, ", \"cpu_seconds\": %.2f", seconds_of(pe->cpu_ns));
    fputc('}', out);
}

enum group { STRAGGLERS, STUCK, MISSING, GROUPS };
static const char *const names_of_groups[] = {"stragglers", "stuck", "missing"};

static bool is_in(const struct job_health *job, int index, enum group group)
{
    const struct sheaf_health_pe *pe = &job->health.pes[index];
    return group == STRAGGLERS ? pe->is_straggler : group == STUCK ? pe->is_stuck : pe->is_missing;
}

/* Returns how many PEs there are in the group. */
static int print_group(const struct job_health *job, enum group group, FILE *out)
{
    int count = 0;
    fprintf(out, ", \"%s\": [", names_of_groups[group]);
    for (int i = 0; i < job->report.npes; i++)
        if (is_in(job, i, group)) {
            fputs(count++ ? ", " : "", out);
            print_rank(job, i, out);
        }
    fputc(']', out);
    return count;
}

/* "world", "shared" or the team's identity: a label that is the same on all hosts. */
static void name_team(const struct sheaf_team_line *line, char text[24])
{
    if (line->kind == SHEAF_TEAM_OF_USER)
        snprintf(text, 24, "%016llx", (unsigned long long)line->team);
    else
        strcpy(text, line->kind == SHEAF_TEAM_IS_WORLD ? "world" : "shared");
}

static void print_team(const struct job_health *job, const struct sheaf_team_line *line, FILE *out)
{
    char name[24];
    const char *between = "";
    name_team(line, name);
    fprintf(out, "{\"team\": \"%s\", \"size\": %d, \"calls\": {", name, line->size);
    for (int i = 0; i < job->report.npes; i++) {
        long calls = sheaf_health_calls(&job->report.pes[i], line->team);
        if (calls >= 0)
            fprintf(out, "%s\"%d\": %ld", between, job->report.pes[i].pe, calls);
        between = calls >= 0 ? ", " : between;
    }
    fputs("}}", out);
}

static void print_teams(const struct job_health *job, FILE *out)
{
    int position = 0, count = 0;
    const struct sheaf_team_line *line;
    fputs(", \"teams\": [", out);
    while (count < MOST_TEAMS && (line = sheaf_health_next_team(&job->report, &position))) {
        fputs(count++ ? ", " : "", out);
        print_team(job, line, out);
    }
    fputc(']', out);
}

static void print_job(const struct job_health *job, FILE *out)
{
    int named = 0;
    const struct sheaf_control *control = job->source.control;
    fprintf(out, "{\"launcher\": %d, \"job\": \"%016llx\", \"pes_of_job\": %d, \"hosts\": %d",
            control->launcher_pid, id_of(job), job->report.world_npes, control->nodes);
    fprintf(out, ", \"hung\": %s", job->health.verdict == SHEAF_HEALTH_GOES_ON ? "false" : "true");
    print_member("why", verdicts[job->health.verdict], out);
    print_member("calls", job->health.text[0] ? job->health.text : NULL, out);
    fprintf(out, ", \"all_wait_seconds\": %.3f", seconds_of(job->health.all_wait_ns));
    for (enum group group = STRAGGLERS; group < GROUPS; group++)
        named += print_group(job, group, out);
    print_teams(job, out);
    fputs(", \"report\": [", out);
    if (named || job->health.all_wait_ns || job->health.verdict != SHEAF_HEALTH_GOES_ON)
        sheaf_report_print_lines(&job->report, out);
    fputs("]}", out);
}

void top_healths_print_json(const struct top_healths *healths, FILE *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    fprintf(out, "{\"time\": %lld.%03ld, \"jobs\": [", (long long)now.tv_sec, now.tv_nsec / 1000000);
    for (int i = 0; i < healths->count; i++) {
        fputs(i ? ", " : "", out);
        print_job(&healths->jobs[i], out);
    }
    fputs("]}\n", out);
}

/* The samples of one metric, of one job. */
typedef void print_samples(const struct job_health *job, const char *name, FILE *out);

static void print_figure(const struct job_health *job, const char *name, double figure, FILE *out)
{
    fprintf(out, "%s{job_id=\"%016llx\"} %.10g\n", name, id_of(job), figure);
}

static void print_pes(const struct job_health *job, const char *name, FILE *out)
{
    print_figure(job, name, job->report.world_npes, out);
}

static void print_hung(const struct job_health *job, const char *name, FILE *out)
{
    print_figure(job, name, job->health.verdict != SHEAF_HEALTH_GOES_ON, out);
}

static void print_all_wait(const struct job_health *job, const char *name, FILE *out)
{
    print_figure(job, name, seconds_of(job->health.all_wait_ns), out);
}

static void print_missing(const struct job_health *job, const char *name, FILE *out)
{
    int count = 0;
    for (int i = 0; i < job->report.npes; i++)
        count += job->health.pes[i].is_missing;
    print_figure(job, name, count, out);
}

static void print_stragglers(const struct job_health *job, const char *name, FILE *out)
{
    for (int i = 0; i < job->report.npes; i++)
        if (job->health.pes[i].is_straggler)
            fprintf(out, "%s{job_id=\"%016llx\",pe=\"%d\"} %.3f\n", name, id_of(job),
                    job->report.pes[i].pe, seconds_of(job->health.pes[i].awaited_ns));
}

static void print_calls(const struct job_health *job, const char *name, FILE *out)
{
    int position = 0;
    const struct sheaf_team_line *line;
    for (int count = 0;
         count < MOST_TEAMS && (line = sheaf_health_next_team(&job->report, &position)); count++) {
        char team[24];
        name_team(line, team);
        for (int i = 0; i < job->report.npes; i++) {
            long calls = sheaf_health_calls(&job->report.pes[i], line->team);
            if (calls >= 0)
                fprintf(out, "%s{job_id=\"%016llx\",team=\"%s\",pe=\"%d\"} %ld\n", name, id_of(job),
                        team, job->report.pes[i].pe, calls);
        }
    }
}

static const struct metric {
    const char *name, *type, *help;
    print_samples *print;
} metrics[] = {
    {"sheaf_job_pes", "gauge", "PEs of the job", print_pes},
    {"sheaf_job_hung", "gauge", "1: PEs of the job are certain never to go on", print_hung},
    {"sheaf_job_all_wait_seconds", "gauge",
     "since the last PE began to wait; 0 while one does not wait", print_all_wait},
    {"sheaf_job_missing_pes", "gauge",
     "PEs that have ended without shmem_finalize, or whose host does not answer", print_missing},
    {"sheaf_straggler_seconds", "gauge",
     "how long others have waited for this PE, which waits for no other", print_stragglers},
    {"sheaf_team_calls_total", "counter", "collective calls of the team that the PE has begun",
     print_calls},
};

void top_healths_print_metrics(const struct top_healths *healths, FILE *out)
{
    fprintf(out,
            "# HELP sheaf_jobs jobs of this user on this host\n"
            "# TYPE sheaf_jobs gauge\nsheaf_jobs %d\n",
            healths->count);
    for (size_t i = 0; i < sizeof metrics / sizeof *metrics; i++) {
        fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", metrics[i].name, metrics[i].help,
                metrics[i].name, metrics[i].type);
        for (int k = 0; k < healths->count; k++)
            metrics[i].print(&healths->jobs[k], metrics[i].name, out);
    }
}
