/* SPDX-License-Identifier: BSD-3-Clause
 * See table.h.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* A figure in at most six places: "12345", "12.3k", "4.56G"; "-" where it is not known. */
static const char *in_short(double figure, double unit, char text[16])
{
    static const char prefixes[] = " kMGTPE";
    int prefix = 0;
    if (figure < 0) {
        strcpy(text, "-");
        return text;
    }
    while (figure >= (prefix ? 999.5 : 99999.5) && prefixes[prefix + 1]) {
        figure /= unit;
        prefix++;
    }
    if (prefix == 0)
        snprintf(text, 16, "%.0f", figure);
    else
        snprintf(text, 16, "%.*f%c", figure < 9.995 ? 2 : figure < 99.95 ? 1 : 0, figure,
                 prefixes[prefix]);
    return text;
}

static const char *seconds(double figure, char text[16])
{
    if (figure < 0)
        strcpy(text, "-");
    else if (figure < 9999.95)
        snprintf(text, 16, "%.1f", figure);
    else
        snprintf(text, 16, "%.0fh", figure / 3600);
    return text;
}

static const char *percent(double figure, char text[16])
{
    if (figure < 0)
        strcpy(text, "-");
    else
        snprintf(text, 16, "%.0f", figure);
    return text;
}

/* What another process has written: a terminal would obey its control characters. */
static const char *harmless(const char *from, char *text, size_t size)
{
    size_t length = strnlen(from, size - 1);
    for (size_t i = 0; i < length; i++)
        text[i] = from[i] >= 0x20 && from[i] < 0x7f ? from[i] : '?'; /* columns count bytes */
    text[length] = '\0';
    return text;
}

/* Which columns a job has: those in which something is known. */
struct columns {
    int host; /* width */
    bool has_near, has_far;
};

static void print_rate(struct top_rate rate, FILE *out)
{
    char operations[16], bytes[16];
    fprintf(out, " %7s %6s", in_short(rate.operations, 1000, operations),
            in_short(rate.bytes, 1024, bytes));
}

static void print_pe(const struct top_pe *pe, const struct columns *columns, FILE *out)
{
    char since[16], cpu[16], heap[16], host[64], call[64], site[160];
    bool has_call = pe->row.call[0] != '\0', has_site = pe->row.site[0] != '\0';
    fprintf(out, "%5d %-*s %-8s %7s %5s %6s", pe->pe, columns->host,
            harmless(pe->host, host, sizeof host), pe->row.state, seconds(pe->wait, since),
            percent(pe->cpu, cpu), in_short(pe->heap, 1024, heap));
    if (columns->has_near)
        print_rate(pe->near, out);
    if (columns->has_far)
        print_rate(pe->far, out);
    fprintf(out, "  %s%s%s\n", harmless(pe->row.call, call, sizeof call),
            !has_site ? "" : has_call ? " at " : "after ",
            harmless(pe->row.site, site, sizeof site));
}

/* ": waits 3, computes 1", in the order in which they come. */
static void print_sum(const struct top_job *job, FILE *out)
{
    const char *between = ": ";
    for (int i = 0; i < job->npes; i++) {
        int count = 0, before = 0;
        for (int k = 0; k < job->npes; k++)
            if (!strcmp(job->pes[k].row.state, job->pes[i].row.state)) {
                count++;
                before += k < i;
            }
        if (before == 0) {
            fprintf(out, "%s%s %d", between, job->pes[i].row.state, count);
            between = ", ";
        }
    }
    fputs(job->has_ended ? "; it has ended\n" : "\n", out);
}

static struct columns columns_of(const struct top_job *job)
{
    struct columns columns = {.host = 4, .has_far = job->has_far};
    for (int i = 0; i < job->npes; i++) {
        int width = (int)strlen(job->pes[i].host);
        columns.has_near |= job->pes[i].near.operations >= 0;
        columns.host = width > 20 ? 20 : width > columns.host ? width : columns.host;
    }
    return columns;
}

static void print_heading(const struct columns *columns, FILE *out)
{
    fprintf(out, "%5s %-*s %-8s %7s %5s %6s", "PE", columns->host, "HOST", "STATE", "SINCE/s",
            "CPU/%", "HEAP/B");
    if (columns->has_near)
        fprintf(out, " %7s %6s", "NEAR/s", "B/s");
    if (columns->has_far)
        fprintf(out, " %7s %6s", "FAR/s", "B/s");
    fputs("  CALL\n", out);
}

static void print_job(const struct top_job *job, const struct top_view *view, FILE *out)
{
    char name[160];
    struct columns columns = columns_of(job);
    int *places, count = top_view_apply(view, job, &places);
    fputs(harmless(job->name, name, sizeof name), out);
    print_sum(job, out);
    print_heading(&columns, out);
    for (int i = 0; i < count; i++)
        print_pe(&job->pes[places[i]], &columns, out);
    free(places);
}

void top_table_print(const struct top_jobs *jobs, const struct top_view *view, FILE *out)
{
    for (int i = 0; i < jobs->count; i++) {
        if (i > 0)
            fputc('\n', out);
        print_job(&jobs->jobs[i], view, out);
    }
}
