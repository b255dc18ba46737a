/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The report as text: first sentences, then a row for each group of PEs in the same state.
 */
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

#define TEXT 512
/* The most sentences, and the most states of awaited PEs in one sentence: more would fill a terminal,
 * and the rows follow. A report of 256 PEs in 256 states once had 2.5 MB. */
#define MOST_SENTENCES 12
#define MOST_DOINGS    6

/* Sets of PEs, by index; and for each PE a digest of the text for its state. */
struct sets {
    bool *waiting, *awaited, *printed, *same;
    uint64_t *doing;
};

static uint64_t digest_of_doing(const struct sheaf_report *report, int index)
{
    char text[TEXT];
    uint64_t sum = 1;
    sheaf_report_describe(report, &report->pes[index], text, sizeof text);
    for (const char *at = text; *at; at++)
        sum = (sum ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    return sum;
}

static void close_sets(struct sets *sets)
{
    free(sets->waiting);
    free(sets->doing);
}

static int open_sets(const struct sheaf_report *report, struct sets *sets)
{
    size_t size = (size_t)report->npes;
    sets->waiting = calloc(4 * size + 1, sizeof *sets->waiting);
    sets->doing = calloc(size + 1, sizeof *sets->doing);
    if (!sets->waiting || !sets->doing) {
        close_sets(sets);
        return -1;
    }
    sets->awaited = sets->waiting + size;
    sets->printed = sets->awaited + size;
    sets->same = sets->printed + size;
    for (int i = 0; i < report->npes; i++)
        sets->doing[i] = digest_of_doing(report, i);
    return 0;
}

/* Whether both wait in calls of the same team with different numbers. */
static bool is_ahead(const struct sheaf_report_pe *a, const struct sheaf_report_pe *b)
{
    uint64_t team, progress, other_team, other_progress;
    return sheaf_report_collective_wait(a, &team, &progress) &&
           sheaf_report_collective_wait(b, &other_team, &other_progress) && team == other_team &&
           SHEAF_PROGRESS_NUMBER(progress) != SHEAF_PROGRESS_NUMBER(other_progress);
}

static bool same_wait(const struct sheaf_report_pe *a, const struct sheaf_report_pe *b)
{
    return sheaf_report_waits(a) && sheaf_report_waits(b) && a->life == b->life &&
           a->board.kind == b->board.kind && a->board.team == b->board.team &&
           a->board.object == b->board.object &&
           a->board.site - a->board.site_base == b->board.site - b->board.site_base &&
           !strcmp(a->board.call, b->board.call) && !strcmp(a->board.file, b->board.file) &&
           !strcmp(a->board.source, b->board.source) &&
           !is_ahead(a, b);
}

static void mark_same_wait(const struct sheaf_report *report, int index, bool *marked)
{
    for (int i = 0; i < report->npes; i++)
        marked[i] = same_wait(&report->pes[index], &report->pes[i]);
}

/* Marks the PEs whose text is the same as this PE's, among those given. */
static void mark_same_doing(const struct sheaf_report *report, int index, const bool *among,
                            struct sets *sets)
{
    const struct sheaf_report_pe *pe = &report->pes[index];
    for (int i = 0; i < report->npes; i++)
        sets->same[i] = (!among || among[i]) &&
                        (same_wait(pe, &report->pes[i]) ||
                         (sets->doing[index] == sets->doing[i] && !is_ahead(pe, &report->pes[i])));
}

/* " (call 7 of the world team)" */
static void print_number(const struct sheaf_report_pe *pe, FILE *out)
{
    uint64_t team, progress;
    char name[96];
    if (!sheaf_report_collective_wait(pe, &team, &progress))
        return;
    sheaf_report_name_team(sheaf_report_team(pe, team), name, sizeof name);
    fprintf(out, " (call %u of %s)", SHEAF_PROGRESS_NUMBER(progress), name);
}

/* Prints "PE 3 has exited ..., PE 4 runs ...", one part for all PEs in the same state. A PE that waits
 * in an earlier call of the same team, possibly at the same source line, gets that call's number. */
static void print_doings(const struct sheaf_report *report, int index, struct sets *sets, FILE *out)
{
    char text[TEXT], pes[TEXT];
    const char *between = "";
    int doings = 0;
    memset(sets->printed, 0, (size_t)report->npes * sizeof *sets->printed);
    for (int i = 0; i < report->npes; i++) {
        if (!sets->awaited[i] || sets->printed[i])
            continue;
        if (doings++ == MOST_DOINGS) {
            fprintf(out, "%sthe others: see their rows", between);
            return;
        }
        mark_same_doing(report, i, sets->awaited, sets);
        for (int k = 0; k < report->npes; k++)
            sets->printed[k] |= sets->same[k];
        int count = sheaf_report_name_pes(report, sets->same, pes, sizeof pes);
        sheaf_report_describe(report, &report->pes[i], text, sizeof text);
        fprintf(out, "%s%s: %s%s", between, pes, count == 1 ? "it " : "each ", text);
        if (is_ahead(&report->pes[index], &report->pes[i]))
            print_number(&report->pes[i], out);
        between = "; ";
    }
}

/* "PEs 0-2 wait for PE 3 in shmem_barrier_all at heat.c:40 (call 7 of the world team). PE 3: it
 * ..." */
static void print_awaited(const struct sheaf_report *report, int index, struct sets *sets,
                          FILE *out)
{
    char waiting[TEXT], awaited[TEXT], wait[TEXT];
    int count = sheaf_report_name_pes(report, sets->waiting, waiting, sizeof waiting);
    sheaf_report_name_pes(report, sets->awaited, awaited, sizeof awaited);
    sheaf_report_name_wait(report, &report->pes[index], wait, sizeof wait);
    fprintf(out, "%s%s wait%s for %s in %s", report->prefix, waiting, count == 1 ? "s" : "",
            awaited, wait);
    if (report->pes[index].board.kind == SHEAF_WAIT_LOCK)
        fprintf(out, " (%.*s, which %s holds)", (int)sizeof report->pes[index].board.detail,
                report->pes[index].board.detail, awaited);
    print_number(&report->pes[index], out);
    fputs(". ", out);
    print_doings(report, index, sets, out);
    fputc('\n', out);
}

/* Prints the PEs that hold the lock, and where they took it. */
static void print_holders(const struct sheaf_report *report, int index, const struct sets *sets,
                          FILE *out)
{
    char where[160], pe[SHEAF_REPORT_PE];
    uint64_t lock = report->pes[index].board.object;
    for (int i = 0; i < report->npes; i++)
        for (int k = 0; sets->awaited[i] && k < SHEAF_RECORD_LOCKS; k++) {
            const struct sheaf_held_lock *held = &report->pes[i].recorder.locks[k];
            if (held->lock == lock &&
                sheaf_report_site(&report->pes[i], held->site, where, sizeof where)) {
                sheaf_report_name_pe(&report->pes[i], pe);
                fprintf(out, "%s%s took that lock at %s and has not given it back\n", report->prefix, pe,
                        where);
            }
        }
}

static void print_mismatch(const struct sheaf_report *report, int index, int other,
                           const struct sheaf_record *const calls[2], FILE *out)
{
    char first[TEXT], second[TEXT], team[96], pes[2][SHEAF_REPORT_PE];
    const struct sheaf_report_pe *pe = &report->pes[index];
    sheaf_report_name_pe(pe, pes[0]);
    sheaf_report_name_pe(&report->pes[other], pes[1]);
    sheaf_report_name_call_fully(report, pe, calls[0], first, sizeof first);
    sheaf_report_name_call_fully(report, &report->pes[other], calls[1], second, sizeof second);
    sheaf_report_name_team(sheaf_report_team(pe, calls[0]->team), team, sizeof team);
    fprintf(out,
            "%s%s calls %s, and %s calls %s, each as call %u of %s: " SHEAF_RECORD_SAME_CALLS "%s\n",
            report->prefix, pes[0], first, pes[1], second,
            SHEAF_PROGRESS_NUMBER(calls[0]->progress), team,
            strcmp(first, second) ? "" : ", and an earlier one has not been the same");
}

/* Whether the report has all PEs of the job, and something is known about each. */
static bool is_complete(const struct sheaf_report *report)
{
    bool all = report->npes == report->world_npes;
    for (int i = 0; i < report->npes; i++)
        all &= report->pes[i].life != SHEAF_LIFE_UNKNOWN;
    return all;
}

/* Prints a wait for a variable or an operation, or one whose awaited PEs are not known. */
static void print_other_wait(const struct sheaf_report *report, int index, const struct sets *sets,
                             FILE *out)
{
    char waiting[TEXT], text[TEXT];
    const struct sheaf_report_pe *pe = &report->pes[index];
    bool all_wait = true, is_late = false;
    for (int i = 0; i < report->npes; i++)
        all_wait &= sheaf_report_waits(&report->pes[i]) || !sheaf_report_is_alive(&report->pes[i]);
    int count = sheaf_report_name_pes(report, sets->waiting, waiting, sizeof waiting);
    sheaf_report_name_wait(report, pe, text, sizeof text);
    is_late = pe->board.kind == SHEAF_WAIT_COLLECTIVE && sheaf_report_team(pe, pe->board.team);
    fprintf(out, "%s%s wait%s in %s", report->prefix, waiting, count == 1 ? "s" : "", text);
    if (pe->board.detail[0])
        fprintf(out, " (%s)", pe->board.detail);
    print_number(pe, out);
    if (is_late && is_complete(report))
        fputs(": all members have come; the call goes on, or what they send each other does not arrive",
              out);
    else if (is_late)
        fputs(": all members that are known here have come; the call goes on, or waits for one "
              "elsewhere",
              out);
    else if (pe->board.kind == SHEAF_WAIT_VARIABLE && all_wait && is_complete(report))
        fputs(": nobody is left who could write it, as every PE waits or has ended", out);
    else if (pe->board.kind == SHEAF_WAIT_VARIABLE)
        fputs(": nobody has written it yet", out);
    fputc('\n', out);
}

/* Prints one group of PEs in the same wait. Where calls do not match, both PEs are printed, and both
 * groups are then marked as printed. */
static void print_wait(const struct sheaf_report *report, int index, struct sets *sets, FILE *out)
{
    const struct sheaf_record *calls[2];
    int other = sheaf_report_mismatch(report, index, calls);
    mark_same_wait(report, index, sets->waiting);
    if (other >= 0) {
        print_mismatch(report, index, other, calls, out);
        mark_same_wait(report, other, sets->same);
        for (int i = 0; i < report->npes; i++)
            sets->waiting[i] |= sets->same[i];
    } else if (sheaf_report_awaited(report, index, sets->awaited) > 0) {
        print_awaited(report, index, sets, out);
        if (report->pes[index].board.kind == SHEAF_WAIT_LOCK)
            print_holders(report, index, sets, out);
    } else {
        print_other_wait(report, index, sets, out);
    }
}

/* Whether the PE's wait explains others': no PE that it waits for waits itself. */
static bool explains_others(const struct sheaf_report *report, int index, struct sets *sets)
{
    const struct sheaf_record *calls[2];
    if (sheaf_report_mismatch(report, index, calls) >= 0)
        return true;
    sheaf_report_awaited(report, index, sets->awaited);
    for (int i = 0; i < report->npes; i++)
        if (sets->awaited[i] && sheaf_report_waits(&report->pes[i]))
            return false;
    return true;
}

/* Prints the waits, first those that explain others. */
static int print_waits(const struct sheaf_report *report, struct sets *sets, FILE *out)
{
    int groups = 0;
    bool *done = calloc((size_t)report->npes + 1, sizeof *done);
    for (int turn = 0; done && turn < 2; turn++)
        for (int i = 0; i < report->npes; i++) {
            if (done[i] || !sheaf_report_waits(&report->pes[i]) ||
                (turn == 0 && !explains_others(report, i, sets)))
                continue;
            if (groups++ < MOST_SENTENCES)
                print_wait(report, i, sets, out);
            else
                mark_same_wait(report, i, sets->waiting);
            for (int k = 0; k < report->npes; k++)
                done[k] |= sets->waiting[k];
        }
    free(done);
    if (groups > MOST_SENTENCES)
        fprintf(out, "%s... and %d more waits: see the rows\n", report->prefix,
                groups - MOST_SENTENCES);
    return groups;
}

/* The first waiting PE that the PE waits for. Following it as often as there are PEs reaches a PE of a
 * cycle, if there is one. */
static int next_awaited(const struct sheaf_report *report, int index, struct sets *sets)
{
    sheaf_report_awaited(report, index, sets->awaited);
    for (int i = 0; i < report->npes; i++)
        if (sets->awaited[i] && sheaf_report_waits(&report->pes[i]))
            return i;
    return -1;
}

static int find_cycle(const struct sheaf_report *report, struct sets *sets)
{
    int at = 0;
    while (at < report->npes && !sheaf_report_waits(&report->pes[at]))
        at++;
    for (int steps = 0; steps <= report->npes && at >= 0 && at < report->npes; steps++)
        at = next_awaited(report, at, sets);
    return at < report->npes ? at : -1;
}

bool sheaf_report_has_circle(const struct sheaf_report *report)
{
    struct sets sets;
    if (open_sets(report, &sets) != 0)
        return false;
    int at = find_cycle(report, &sets);
    close_sets(&sets);
    return at >= 0;
}

static void print_cycle(const struct sheaf_report *report, struct sets *sets, FILE *out)
{
    char pes[2][SHEAF_REPORT_PE];
    int at = find_cycle(report, sets), first = at;
    if (at < 0)
        return;
    fprintf(out, "%sa circle, so none of them can go on: ", report->prefix);
    do {
        int next = next_awaited(report, at, sets);
        sheaf_report_name_pe(&report->pes[at], pes[0]);
        sheaf_report_name_pe(&report->pes[next], pes[1]);
        fprintf(out, "%s%s waits for %s", at == first ? "" : ", ", pes[0], pes[1]);
        at = next;
    } while (at != first);
    fputc('\n', out);
}

/* Prints that no PE waits. The job may hang nevertheless. */
static void print_no_wait(const struct sheaf_report *report, FILE *out)
{
    bool any_runs = false;
    for (int i = 0; i < report->npes; i++)
        any_runs |=
            sheaf_report_is_alive(&report->pes[i]) && report->pes[i].state == SHEAF_PE_INITIALIZED;
    if (any_runs)
        fprintf(out,
                "%sno PE waits in a call: those that run are in their own code, or poll in it; "
                "oshrun --why --stacks shows where\n",
                report->prefix);
}

static void print_row(const struct sheaf_report *report, int index, const bool *same, FILE *out)
{
    char pes[TEXT], text[TEXT];
    const struct sheaf_report_pe *pe = &report->pes[index];
    uint64_t longest = 0;
    for (int i = 0; i < report->npes; i++)
        if (same[i] && report->pes[i].wait_ns > longest)
            longest = report->pes[i].wait_ns;
    sheaf_report_name_pes(report, same, pes, sizeof pes);
    sheaf_report_describe(report, pe, text, sizeof text);
    fprintf(out, "%s  %-10s %-12s ", report->prefix, pes, pe->host);
    if (sheaf_report_waits(pe))
        fprintf(out, "%7.1f s  ", (double)longest / 1e9);
    else
        fprintf(out, "%7s    ", "");
    fprintf(out, "%s\n", text);
}

static void print_rows(const struct sheaf_report *report, struct sets *sets, FILE *out)
{
    bool *printed = calloc((size_t)report->npes + 1, sizeof *printed);
    for (int i = 0; printed && i < report->npes; i++) {
        if (printed[i])
            continue;
        mark_same_doing(report, i, NULL, sets);
        for (int k = 0; k < report->npes; k++) {
            sets->same[k] &= !printed[k] && !strcmp(report->pes[i].host, report->pes[k].host);
            printed[k] |= sets->same[k];
        }
        print_row(report, i, sets->same, out);
    }
    free(printed);
}

void sheaf_report_print(const struct sheaf_report *report, FILE *out)
{
    struct sets sets;
    if (open_sets(report, &sets) != 0)
        return;
    print_cycle(report, &sets, out);
    if (print_waits(report, &sets, out) == 0)
        print_no_wait(report, out);
    print_rows(report, &sets, out);
    close_sets(&sets);
}

void sheaf_report_print_waits(const struct sheaf_report *report, FILE *out)
{
    char pes[TEXT], wait[TEXT];
    struct sets sets;
    const char *between = "";
    if (open_sets(report, &sets) != 0)
        return;
    for (int i = 0; i < report->npes; i++) {
        if (sets.printed[i] || !sheaf_report_waits(&report->pes[i]))
            continue;
        mark_same_wait(report, i, sets.same);
        for (int k = 0; k < report->npes; k++)
            sets.printed[k] |= sets.same[k];
        int count = sheaf_report_name_pes(report, sets.same, pes, sizeof pes);
        sheaf_report_name_wait(report, &report->pes[i], wait, sizeof wait);
        fprintf(out, "%s%s %s in %s", between, pes, count == 1 ? "waits" : "wait", wait);
        between = ", ";
    }
    close_sets(&sets);
}
