/* SPDX-License-Identifier: BSD-3-Clause
 * Calls, PEs, teams, and what a PE does, in words.
 */
#include "report/internal.h"

#include <string.h>

/* A library over this one has named its own collectives. */
const char *sheaf_report_call_name(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                                   const struct sheaf_record *call)
{
    uint32_t at = call->call;
    if (pe->recorder.named_number == call->number && pe->recorder.name[0])
        return pe->recorder.name;
    bool is_name = at < report->names_length && (at == 0 || report->names[at - 1] == '\0');
    return is_name && report->names[at] ? report->names + at : "a call";
}

/* arguments: " (PE_root 0)", or "". */
static void name_call(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                      const struct sheaf_record *call, const char *arguments, char *text, size_t size)
{
    char place[160];
    bool has_place = sheaf_report_call_site(pe, call, place, sizeof place);
    snprintf(text, size, "%s%s%s%s", sheaf_report_call_name(report, pe, call), arguments,
             has_place ? " at " : "", has_place ? place : "");
}

void sheaf_report_name_call(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                            const struct sheaf_record *call, char *text, size_t size)
{
    char root[32] = "";
    if (call->root >= 0)
        snprintf(root, sizeof root, " (PE_root %d)", call->root);
    name_call(report, pe, call, root, text, size);
}

void sheaf_report_name_call_fully(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                                  const struct sheaf_record *call, char *text, size_t size)
{
    char both[80] = "";
    unsigned long long bytes = call->bytes;
    bool has_bytes = bytes != 0 && bytes != UINT64_MAX;
    if (call->root >= 0 && has_bytes)
        snprintf(both, sizeof both, " (PE_root %d, %llu bytes)", call->root, bytes);
    else if (call->root >= 0)
        snprintf(both, sizeof both, " (PE_root %d)", call->root);
    else if (has_bytes)
        snprintf(both, sizeof both, " (%llu bytes)", bytes);
    name_call(report, pe, call, both, text, size);
}

void sheaf_report_name_wait(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                            char *text, size_t size)
{
    char place[160];
    (void)report;
    bool has_place = sheaf_report_wait_site(pe, place, sizeof place);
    snprintf(text, size, "%s%s%s", pe->board.call[0] ? pe->board.call : "a call",
             has_place ? " at " : "", has_place ? place : "");
}

void sheaf_report_name_pe(const struct sheaf_report_pe *pe, char text[SHEAF_REPORT_PE])
{
    sheaf_recorder_name_pe(&pe->recorder, pe->pe, text, SHEAF_REPORT_PE);
}

/* The PE's number, or a library's for it. */
static int number_of(const struct sheaf_report *report, int index, bool called)
{
    const struct sheaf_report_pe *pe = &report->pes[index];
    return called ? pe->recorder.called_number : pe->pe;
}

static bool is_followed(const struct sheaf_report *report, const bool *marked, int index, bool called)
{
    return index + 1 < report->npes && marked[index + 1] &&
           number_of(report, index + 1, called) == number_of(report, index, called) + 1;
}

/* Appends as much as fits; the rest is cut. */
static size_t append(char *text, size_t size, size_t at, const char *more)
{
    size_t length = strlen(more);
    if (at + 1 >= size)
        return at;
    if (length > size - 1 - at)
        length = size - 1 - at;
    memcpy(text + at, more, length);
    text[at + length] = '\0';
    return at + length;
}

/* Appends "0-2,5". */
static size_t append_numbers(const struct sheaf_report *report, const bool *marked, bool called, char *text,
                             size_t size, size_t at)
{
    char part[32];
    const char *between = "";
    for (int i = 0; i < report->npes; i++) {
        int first = i;
        if (!marked[i])
            continue;
        while (is_followed(report, marked, i, called))
            i++;
        int length = snprintf(part, sizeof part, "%s%d", between, number_of(report, first, called));
        if (i > first)
            snprintf(part + length, sizeof part - (size_t)length, "%c%d", i > first + 1 ? '-' : ',',
                     number_of(report, i, called));
        at = append(text, size, at, part);
        between = ",";
    }
    return at;
}

int sheaf_report_name_pes(const struct sheaf_report *report, const bool *marked, char *text,
                          size_t size)
{
    const char *called = "";
    int count = 0;
    for (int i = 0; i < report->npes; i++) {
        if (marked[i] && count++ == 0)
            called = report->pes[i].recorder.called;
    }
    size_t at = append(text, size, 0, count == 1 ? "PE " : "PEs ");
    at = append_numbers(report, marked, false, text, size, at);
    if (!called[0])
        return count;
    at = append(text, size, at, " (");
    at = append(text, size, at, called);
    at = append(text, size, at, count == 1 ? " " : "s ");
    at = append_numbers(report, marked, true, text, size, at);
    append(text, size, at, ")");
    return count;
}

void sheaf_report_name_team(const struct sheaf_team_line *line, char *text, size_t size)
{
    if (line->kind == SHEAF_TEAM_IS_WORLD)
        snprintf(text, size, "the world team");
    else if (line->kind == SHEAF_TEAM_IS_SHARED)
        snprintf(text, size, "the shared team");
    else if (line->stride == 0 || line->size < 2)
        snprintf(text, size, "a team of %d PEs", line->size);
    else
        snprintf(text, size, "a team of %d PEs: %d, %d%s", line->size, line->start,
                 line->start + line->stride, line->size > 2 ? ", ..." : "");
}

static void describe_end(const struct sheaf_report_pe *pe, char *text, size_t size)
{
    const char *how = pe->state == SHEAF_PE_LAUNCHED    ? " without loading OpenSHMEM"
                      : pe->state == SHEAF_PE_ATTACHED  ? " without calling shmem_init"
                      : pe->state == SHEAF_PE_FINALIZED ? " after shmem_finalize"
                                                        : " without shmem_finalize";
    if (pe->life == SHEAF_LIFE_UNKNOWN)
        snprintf(text, size, "does nothing that is known: its host does not answer");
    else if (pe->life == SHEAF_LIFE_KILLED)
        snprintf(text, size, "was killed by signal %d", pe->status);
    else if (pe->life == SHEAF_LIFE_EXITED)
        snprintf(text, size, "has exited with status %d%s", pe->status, how);
    else
        snprintf(text, size, "is gone%s", how);
}

static void describe_wait(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                          char *text, size_t size)
{
    char wait[256];
    sheaf_report_name_wait(report, pe, wait, sizeof wait);
    if (pe->board.detail[0])
        snprintf(text, size, "waits in %s (%s)", wait, pe->board.detail);
    else
        snprintf(text, size, "waits in %s", wait);
}

/* Prints "runs its own code", or "polls at prog.py:12 and ..." where an interpreter has announced the
 * line. */
static void name_own_code(const struct sheaf_report_pe *pe, char *text, size_t size)
{
    char line[64] = "";
    bool has_line = sheaf_recorder_line(&pe->recorder, pe->recorder.begun + 1, line, sizeof line);
    if (pe->is_polling)
        snprintf(text, size, "polls%s%s and finds nothing new", has_line ? " at " : "", line);
    else
        snprintf(text, size, "runs its own code");
}

static void describe_running(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                             char *text, size_t size)
{
    static const char *const states[] = {"runs and has not loaded OpenSHMEM yet",
                                         "runs and has not returned from shmem_init yet"};
    char name[256] = "", own[96];
    name_own_code(pe, own, sizeof own);
    const struct sheaf_record *open = sheaf_report_open_call(pe),
                              *last = sheaf_report_last_call(pe);
    if (pe->state <= SHEAF_PE_ATTACHED)
        snprintf(text, size, "%s", states[pe->state]);
    else if (pe->state == SHEAF_PE_FINALIZED)
        snprintf(text, size, "runs after shmem_finalize");
    else if (pe->state != SHEAF_PE_INITIALIZED)
        snprintf(text, size, "exits");
    else if (open) {
        sheaf_report_name_call(report, pe, open, name, sizeof name);
        snprintf(text, size, "is in %s", name);
    } else if (last) {
        sheaf_report_name_call(report, pe, last, name, sizeof name);
        snprintf(text, size, "%s; its last collective, wait or allocation was %s", own, name);
    } else
        snprintf(text, size, "%s since shmem_init", own);
}

void sheaf_report_describe(const struct sheaf_report *report, const struct sheaf_report_pe *pe,
                           char *text, size_t size)
{
    char rest[400];
    if (!sheaf_report_is_alive(pe))
        describe_end(pe, text, size);
    else if (sheaf_report_waits(pe))
        describe_wait(report, pe, rest, sizeof rest);
    else
        describe_running(report, pe, rest, sizeof rest);
    if (sheaf_report_is_alive(pe))
        snprintf(text, size, "%s%s",
                 pe->life == SHEAF_LIFE_STOPPED ? "is stopped by a signal; it " : "", rest);
}
