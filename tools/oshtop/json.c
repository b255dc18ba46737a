/* SPDX-License-Identifier: BSD-3-Clause
 * See table.h.
 */
#include "table.h"

#include <stdlib.h>
#include <time.h>

static void print_text(const char *name, const char *text, FILE *out)
{
    fprintf(out, ", \"%s\": ", name);
    sheaf_report_print_text(text, out);
}

static void print_figure(const char *name, double figure, FILE *out)
{
    if (figure < 0)
        fprintf(out, ", \"%s\": null", name);
    else
        fprintf(out, ", \"%s\": %.3f", name, figure);
}

static void print_pe(const struct top_pe *pe, FILE *out)
{
    fprintf(out, "{\"pe\": %d, \"pid\": %d", pe->pe, pe->pid);
    print_text("host", pe->host, out);
    print_text("state", pe->row.state, out);
    print_text("call", pe->row.call, out);
    print_text("site", pe->row.site, out);
    print_figure("seconds", pe->wait, out);
    print_figure("cpu_percent", pe->cpu, out);
#define COUNTER(name, help) print_figure(#name, pe->heap < 0 ? -1 : (double)pe->usage.name, out);
    SHEAF_COUNTERS(COUNTER)
#undef COUNTER
    print_figure("near_operations_per_second", pe->near.operations, out);
    print_figure("near_bytes_per_second", pe->near.bytes, out);
    print_figure("far_operations_per_second", pe->far.operations, out);
    print_figure("far_bytes_per_second", pe->far.bytes, out);
    fputc('}', out);
}

static void print_job(const struct top_job *job, const struct top_view *view, FILE *out)
{
    int *places, count = top_view_apply(view, job, &places);
    fprintf(out, "{\"launcher\": %d, \"pes_of_job\": %d, \"has_ended\": %s, \"pes\": [",
            job->source.control->launcher_pid, job->world_npes, job->has_ended ? "true" : "false");
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "", out);
        print_pe(&job->pes[places[i]], out);
    }
    fputs("]}", out);
    free(places);
}

void top_json_print(const struct top_jobs *jobs, const struct top_view *view, FILE *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    fprintf(out, "{\"time\": %lld.%03ld, \"jobs\": [", (long long)now.tv_sec,
            now.tv_nsec / 1000000);
    for (int i = 0; i < jobs->count; i++) {
        fputs(i ? ", " : "", out);
        print_job(&jobs->jobs[i], view, out);
    }
    fputs("]}\n", out);
}
