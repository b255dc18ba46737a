/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The report as text: sentences first, then a row for each group of PEs that do the same.
 */
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

#define TEXT 512
/* Sentences, and things that the missing ones do in one: more fill a terminal, and rows follow. 256 PEs of
 * which no two did the same once made 2.5 MB. */
#define MOST_SENTENCES 12
#define MOST_DOINGS    6

/* PEs, by place; and of each a digest of the words for what it does. */
struct sets {
    bool *waiting, *awaited, *told, *same;
    uint64_t *doing;
};

static uint64_t digest_of_doing(const struct sheaf_report *report, int place)
{
    char text[TEXT];
    uint64_t sum = 1;
    sheaf_report_describe(report, &report->pes[place], text, sizeof text);
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
    sets->told = sets->awaited + size;
    sets->same = sets->told + size;
    for (int i = 0; i < report->npes; i++)
        sets->doing[i] = digest_of_doing(report, i);
    return 0;
}

/* Whether both wait in a call of the same team, and one has begun more of these than the other. */
static bool is_ahead(const struct sheaf_report_pe *a, const struct sheaf_report_pe *b)
{
    uint64_t team, progress, other_team, other_progress;
    return sheaf_report_meeting(a, &team, &progress) &&
           sheaf_report_meeting(b, &other_team, &other_progress) && team == other_team &&
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

static void mark_same_wait(const struct sheaf_report *report, int place, bool *marked)
{
    for (int i = 0; i < report->npes; i++)
        marked[i] = same_wait(&report->pes[place], &report->pes[i]);
}

/* PEs that do the same, in the same words, among those marked. */
static void mark_same_doing(const struct sheaf_report *report, int place, const bool *among,
                            struct sets *sets)
{
    const struct sheaf_report_pe *pe = &report->pes[place];
    for (int i = 0; i < report->npes; i++)
        sets->same[i] = (!among || among[i]) &&
                        (same_wait(pe, &report->pes[i]) ||
                         (sets->doing[place] == sets->doing[i] && !is_ahead(pe, &report->pes[i])));
}

/* " (call 7 of the world team)" */
static void print_number(const struct sheaf_report_pe *pe, FILE *out)
{
    uint64_t team, progress;
    char name[96];
    if (!sheaf_report_meeting(pe, &team, &progress))
        return;
    sheaf_report_name_team(sheaf_report_team(pe, team), name, sizeof name);
    fprintf(out, " (call %u of %s)", SHEAF_PROGRESS_NUMBER(progress), name);
}

/* "PE 3 has exited ..., PE 4 runs ...": one part for those that do the same. One that waits in an earlier
 * call of the same team, which may be at the same place, is told with that call's number. */
static void print_doings(const struct sheaf_report *report, int place, struct sets *sets, FILE *out)
{
    char text[TEXT], pes[TEXT];
    const char *between = "";
    int doings = 0;
    memset(sets->told, 0, (size_t)report->npes * sizeof *sets->told);
    for (int i = 0; i < report->npes; i++) {
        if (!sets->awaited[i] || sets->told[i])
            continue;
        if (doings++ == MOST_DOINGS) {
            fprintf(out, "%sthe others: see their rows", between);
            return;
        }
        mark_same_doing(report, i, sets->awaited, sets);
        for (int k = 0; k < report->npes; k++)
            sets->told[k] |= sets->same[k];
        int count = sheaf_report_name_pes(report, sets->same, pes, sizeof pes);
        sheaf_report_describe(report, &report->pes[i], text, sizeof text);
        fprintf(out, "%s%s: %s%s", between, pes, count == 1 ? "it " : "each ", text);
        if (is_ahead(&report->pes[place], &report->pes[i]))
            print_number(&report->pes[i], out);
        between = "; ";
    }
}

/* "PEs 0-2 wait for PE 3 in shmem_barrier_all at heat.c:40 (call 7 of the world team). PE 3: it
 * ..." */
static void print_awaited(const struct sheaf_report *report, int place, struct sets *sets,
                          FILE *out)
{
    char waiting[TEXT], awaited[TEXT], wait[TEXT];
    int count = sheaf_report_name_pes(report, sets->waiting, waiting, sizeof waiting);
    sheaf_report_name_pes(report, sets->awaited, awaited, sizeof awaited);
    sheaf_report_name_wait(report, &report->pes[place], wait, sizeof wait);
    fprintf(out, "%s%s wait%s for %s in %s", report->prefix, waiting, count == 1 ? "s" : "",
            awaited, wait);
    if (report->pes[place].board.kind == SHEAF_WAIT_LOCK)
        fprintf(out, " (%.*s, which %s holds)", (int)sizeof report->pes[place].board.detail,
                report->pes[place].board.detail, awaited);
    print_number(&report->pes[place], out);
    fputs(". ", out);
    print_doings(report, place, sets, out);
    fputc('\n', out);
}

/* Who holds the lock, and where that one took it. */
static void print_taken(const struct sheaf_report *report, int place, const struct sets *sets,
                        FILE *out)
{
    char where[160];
    uint64_t lock = report->pes[place].board.object;
    for (int i = 0; i < report->npes; i++)
        for (int k = 0; sets->awaited[i] && k < SHEAF_RECORD_LOCKS; k++) {
            const struct sheaf_held_lock *held = &report->pes[i].recorder.locks[k];
            if (held->lock == lock &&
                sheaf_report_site(&report->pes[i], held->site, where, sizeof where))
                fprintf(out, "%sPE %d took that lock at %s and has not given it back\n",
                        report->prefix, report->pes[i].pe, where);
        }
}

static void print_mismatch(const struct sheaf_report *report, int place, int other,
                           const struct sheaf_record *const calls[2], FILE *out)
{
    char first[TEXT], second[TEXT], team[96];
    const struct sheaf_report_pe *pe = &report->pes[place];
    sheaf_report_name_call_fully(report, pe, calls[0], first, sizeof first);
    sheaf_report_name_call_fully(report, &report->pes[other], calls[1], second, sizeof second);
    sheaf_report_name_team(sheaf_report_team(pe, calls[0]->team), team, sizeof team);
    fprintf(out,
            "%sPE %d calls %s, and PE %d calls %s, each as call %u of %s: " SHEAF_RECORD_SAME_CALLS "%s\n",
            report->prefix, pe->pe, first, report->pes[other].pe, second,
            SHEAF_PROGRESS_NUMBER(calls[0]->progress), team,
            strcmp(first, second) ? "" : ", and an earlier one has not been the same");
}

/* Whether the report is of all PEs of the job, and something is known of each. */
static bool is_whole(const struct sheaf_report *report)
{
    bool all = report->npes == report->world_npes;
    for (int i = 0; i < report->npes; i++)
        all &= report->pes[i].life != SHEAF_LIFE_UNKNOWN;
    return all;
}

/* A wait for a variable, an operation, or for something that is not known. */
static void print_other_wait(const struct sheaf_report *report, int place, const struct sets *sets,
                             FILE *out)
{
    char waiting[TEXT], text[TEXT];
    const struct sheaf_report_pe *pe = &report->pes[place];
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
    if (is_late && is_whole(report))
        fputs(": all members have come; the call goes on, or what they send each other does not arrive",
              out);
    else if (is_late)
        fputs(": all members that are known here have come; the call goes on, or waits for one "
              "elsewhere",
              out);
    else if (pe->board.kind == SHEAF_WAIT_VARIABLE && all_wait && is_whole(report))
        fputs(": nobody is left who could write it, as every PE waits or has ended", out);
    else if (pe->board.kind == SHEAF_WAIT_VARIABLE)
        fputs(": nobody has written it yet", out);
    fputc('\n', out);
}

/* One group of PEs in the same wait; of two in calls that do not fit together both are told, and are then
 * in the set of those waiting. */
static void print_wait(const struct sheaf_report *report, int place, struct sets *sets, FILE *out)
{
    const struct sheaf_record *calls[2];
    int other = sheaf_report_mismatch(report, place, calls);
    mark_same_wait(report, place, sets->waiting);
    if (other >= 0) {
        print_mismatch(report, place, other, calls, out);
        mark_same_wait(report, other, sets->same);
        for (int i = 0; i < report->npes; i++)
            sets->waiting[i] |= sets->same[i];
    } else if (sheaf_report_awaited(report, place, sets->awaited) > 0) {
        print_awaited(report, place, sets, out);
        if (report->pes[place].board.kind == SHEAF_WAIT_LOCK)
            print_taken(report, place, sets, out);
    } else {
        print_other_wait(report, place, sets, out);
    }
}

/* Whether PE place's wait explains others': nobody whom it waits for waits itself. */
static bool is_root(const struct sheaf_report *report, int place, struct sets *sets)
{
    const struct sheaf_record *calls[2];
    if (sheaf_report_mismatch(report, place, calls) >= 0)
        return true;
    sheaf_report_awaited(report, place, sets->awaited);
    for (int i = 0; i < report->npes; i++)
        if (sets->awaited[i] && sheaf_report_waits(&report->pes[i]))
            return false;
    return true;
}

/* Those that explain the others first. */
static int print_waits(const struct sheaf_report *report, struct sets *sets, FILE *out)
{
    int groups = 0;
    bool *done = calloc((size_t)report->npes + 1, sizeof *done);
    for (int turn = 0; done && turn < 2; turn++)
        for (int i = 0; i < report->npes; i++) {
            if (done[i] || !sheaf_report_waits(&report->pes[i]) ||
                (turn == 0 && !is_root(report, i, sets)))
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

/* From a PE that waits to the first waiting one that it waits for, as often as there are PEs:
 * whoever is reached then is in a circle. */
static int next_awaited(const struct sheaf_report *report, int place, struct sets *sets)
{
    sheaf_report_awaited(report, place, sets->awaited);
    for (int i = 0; i < report->npes; i++)
        if (sets->awaited[i] && sheaf_report_waits(&report->pes[i]))
            return i;
    return -1;
}

static int find_circle(const struct sheaf_report *report, struct sets *sets)
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
    int at = find_circle(report, &sets);
    close_sets(&sets);
    return at >= 0;
}

static void print_circle(const struct sheaf_report *report, struct sets *sets, FILE *out)
{
    int at = find_circle(report, sets), first = at;
    if (at < 0)
        return;
    fprintf(out, "%sa circle, so none of them can go on: ", report->prefix);
    do {
        int next = next_awaited(report, at, sets);
        fprintf(out, "%sPE %d waits for PE %d", at == first ? "" : ", ", report->pes[at].pe,
                report->pes[next].pe);
        at = next;
    } while (at != first);
    fputc('\n', out);
}

/* Nobody waits: that is not to say that all is well. */
static void print_nobody(const struct sheaf_report *report, FILE *out)
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

static void print_row(const struct sheaf_report *report, int place, const bool *same, FILE *out)
{
    char pes[TEXT], text[TEXT];
    const struct sheaf_report_pe *pe = &report->pes[place];
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
    bool *told = calloc((size_t)report->npes + 1, sizeof *told);
    for (int i = 0; told && i < report->npes; i++) {
        if (told[i])
            continue;
        mark_same_doing(report, i, NULL, sets);
        for (int k = 0; k < report->npes; k++) {
            sets->same[k] &= !told[k] && !strcmp(report->pes[i].host, report->pes[k].host);
            told[k] |= sets->same[k];
        }
        print_row(report, i, sets->same, out);
    }
    free(told);
}

void sheaf_report_print(const struct sheaf_report *report, FILE *out)
{
    struct sets sets;
    if (open_sets(report, &sets) != 0)
        return;
    print_circle(report, &sets, out);
    if (print_waits(report, &sets, out) == 0)
        print_nobody(report, out);
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
        if (sets.told[i] || !sheaf_report_waits(&report->pes[i]))
            continue;
        mark_same_wait(report, i, sets.same);
        for (int k = 0; k < report->npes; k++)
            sets.told[k] |= sets.same[k];
        int count = sheaf_report_name_pes(report, sets.same, pes, sizeof pes);
        sheaf_report_name_wait(report, &report->pes[i], wait, sizeof wait);
        fprintf(out, "%s%s %s in %s", between, pes, count == 1 ? "waits" : "wait", wait);
        between = ", ";
    }
    close_sets(&sets);
}
