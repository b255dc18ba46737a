/* SPDX-License-Identifier: BSD-3-Clause
 * The report as JSON: the sentences, and for every PE its state and its last calls.
 */
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

#define TEXT 512

void sheaf_report_print_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at == '"' || *at == '\\')
            fprintf(out, "\\%c", *at);
        else if (*at < 0x20 || *at >= 0x7f)
            fprintf(out, "\\u%04x", *at);
        else
            fputc(*at, out);
    fputc('"', out);
}

static void print_member(const char *name, const char *text, FILE *out)
{
    fprintf(out, ", \"%s\": ", name);
    sheaf_report_print_text(text, out);
}

static const char *name_of_wait(uint32_t kind)
{
    static const char *const names[] = {"none", "collective", "variable", "lock", "far"};
    return kind < sizeof names / sizeof *names ? names[kind] : "none";
}

static const char *name_of_life(int32_t life)
{
    static const char *const names[] = {"runs", "stopped", "exited", "killed", "gone", "unknown"};
    return life >= 0 && life < (int)(sizeof names / sizeof *names) ? names[life] : "gone";
}

static void print_call(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                       const struct sheaf_record *call, FILE *out)
{
    char text[TEXT];
    sheaf_report_name_call(report, pe, call, text, sizeof text);
    fprintf(out, "{\"number\": %u, \"ended\": %s, \"team\": \"%016llx\", \"of_team\": %u",
            call->number, call->ended ? "true" : "false", (unsigned long long)call->team,
            SHEAF_PROGRESS_NUMBER(call->progress));
    if (call->root >= 0)
        fprintf(out, ", \"root\": %d", call->root);
    if (call->bytes != UINT64_MAX)
        fprintf(out, ", \"bytes\": %llu", (unsigned long long)call->bytes);
    print_member("call", text, out);
    fputc('}', out);
}

static void print_pe(const struct sheaf_report *report, int index, bool *marked, FILE *out)
{
    char text[TEXT];
    const struct sheaf_report_pe *pe = &report->pes[index];
    const char *between = "";
    fprintf(out, "{\"pe\": %d, \"pid\": %d, \"status\": %d", pe->pe, pe->pid, pe->status);
    print_member("host", pe->host, out);
    print_member("life", name_of_life(pe->life), out);
    print_member("waits", sheaf_report_waits(pe) ? name_of_wait(pe->board.kind) : "none", out);
    sheaf_report_describe(report, pe, text, sizeof text);
    print_member("does", text, out);
    fprintf(out, ", \"seconds\": %.3f, \"awaits\": [", (double)pe->wait_ns / 1e9);
    sheaf_report_awaited(report, index, marked);
    for (int i = 0; i < report->npes; i++)
        if (marked[i]) {
            fprintf(out, "%s%d", between, report->pes[i].pe);
            between = ", ";
        }
    fputs("], \"calls\": [", out);
    between = "";
    for (uint32_t back = SHEAF_RECORDS; back-- > 0;) {
        const struct sheaf_record *call = sheaf_report_call(pe, back);
        if (call) {
            fputs(between, out);
            print_call(report, pe, call, out);
            between = ", ";
        }
    }
    fputs("]}", out);
}

void sheaf_report_print_lines(const struct sheaf_report *report, FILE *out)
{
    char *text = NULL;
    size_t size, skip = strlen(report->prefix);
    FILE *lines = open_memstream(&text, &size);
    const char *between = "";
    if (!lines)
        return;
    sheaf_report_print(report, lines);
    fclose(lines);
    char *rest = text, *line;
    while ((line = strsep(&rest, "\n")) && *line) {
        fputs(between, out);
        sheaf_report_print_text(strlen(line) > skip ? line + skip : line, out);
        between = ", ";
    }
    free(text);
}

void sheaf_report_print_json(const struct sheaf_report *report, FILE *out)
{
    bool *marked = calloc((size_t)report->npes + 1, sizeof *marked);
    if (!marked)
        return;
    fprintf(out, "{\"pes_of_job\": %d, \"report\": [", report->world_npes);
    sheaf_report_print_lines(report, out);
    fputs("], \"pes\": [", out);
    for (int i = 0; i < report->npes; i++) {
        fputs(i ? ", " : "", out);
        print_pe(report, i, marked, out);
    }
    fputs("]}\n", out);
    free(marked);
}
