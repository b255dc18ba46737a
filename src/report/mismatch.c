/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that do not match. Each PE's recorder has its last calls with their numbers in their teams. So two
 * PEs' calls are compared whatever the PEs do now, and copies may be of different moments.
 */
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

/* The latest entry of the team's call with that number. The entry of the PE's last call counts only
 * where it agrees with the team's line: otherwise it may be an entry of an earlier team with this
 * identity. */
static const struct sheaf_record *find_call(const struct sheaf_report_pe *pe,
                                            const struct sheaf_team_line *line, uint32_t number)
{
    for (uint32_t back = 0; back < SHEAF_RECORDS; back++) {
        const struct sheaf_record *call = sheaf_report_call(pe, back);
        if (call && call->team == line->team && SHEAF_PROGRESS_NUMBER(call->progress) == number)
            return number != SHEAF_PROGRESS_NUMBER(line->progress) || call->progress == line->progress
                       ? call
                       : NULL;
    }
    return NULL;
}

static bool calls_differ(const struct sheaf_report_pe *pe, const struct sheaf_team_line *line,
                         const struct sheaf_report_pe *other, const struct sheaf_team_line *theirs,
                         uint32_t number, const struct sheaf_record *calls[2])
{
    calls[0] = find_call(pe, line, number);
    calls[1] = find_call(other, theirs, number);
    return calls[0] && calls[1] && calls[0]->progress != calls[1]->progress;
}

/* The first call with the team in which two members differ, as far as both recorders go back. Progress
 * contains a digest of all calls: where the last progress is equal, all calls are. */
static bool find_difference(const struct sheaf_report_pe *pe, const struct sheaf_report_pe *other,
                            uint64_t team, const struct sheaf_record *calls[2])
{
    const struct sheaf_team_line *line = sheaf_report_team(pe, team);
    const struct sheaf_team_line *theirs = sheaf_report_team(other, team);
    uint32_t ours = line ? SHEAF_PROGRESS_NUMBER(line->progress) : 0;
    uint32_t others = theirs ? SHEAF_PROGRESS_NUMBER(theirs->progress) : 0;
    uint32_t last = ours < others ? ours : others;
    if (last == 0 || line->progress == theirs->progress ||
        !calls_differ(pe, line, other, theirs, last, calls))
        return false;
    uint32_t number = last > SHEAF_RECORDS ? last - SHEAF_RECORDS : 1;
    while (!calls_differ(pe, line, other, theirs, number, calls))
        number++;
    return true;
}

int sheaf_report_mismatch(const struct sheaf_report *report, int index,
                          const struct sheaf_record *calls[2])
{
    uint64_t team, progress;
    if (!sheaf_report_collective_wait(&report->pes[index], &team, &progress))
        return -1;
    for (int i = 0; i < report->npes; i++)
        if (i != index && find_difference(&report->pes[index], &report->pes[i], team, calls))
            return i;
    return -1;
}

/* Two PEs, by index, and their calls. */
struct mismatch {
    int indices[2];
    const struct sheaf_record *calls[2];
    const char *rule;
};

/* Compares a team's members with its first one: where no member differs from that one, no two differ. */
static bool find_other_call(const struct sheaf_report *report, struct mismatch *mismatch)
{
    for (int index = 0; index < report->npes; index++)
        for (int i = 0; i < SHEAF_RECORD_TEAMS; i++) {
            uint64_t team = report->pes[index].recorder.teams[i].team;
            int first = 0;
            while (team && first < index && !sheaf_report_team(&report->pes[first], team))
                first++;
            if (team && first < index &&
                find_difference(&report->pes[first], &report->pes[index], team, mismatch->calls)) {
                *mismatch = (struct mismatch){{first, index}, {mismatch->calls[0], mismatch->calls[1]},
                                              SHEAF_RECORD_SAME_CALLS};
                return true;
            }
        }
    return false;
}

/* The call that the PE waits in, if no member leaves it before all are in it. Not for a PE with several
 * threads, which may be in other calls too. */
static const struct sheaf_record *waiting_call(const struct sheaf_report_pe *pe)
{
    uint64_t team, progress;
    const struct sheaf_record *call = sheaf_report_open_call(pe);
    bool is_it = call && !pe->recorder.has_threads && call->root == SHEAF_RECORD_WAITS_FOR_ALL &&
                 sheaf_report_collective_wait(pe, &team, &progress) && call->team == team &&
                 call->progress == progress;
    return is_it ? call : NULL;
}

/* Whether the call needs the other PE, a member that has not begun it. */
static bool needs_pe(const struct sheaf_record *call, const struct sheaf_report_pe *other)
{
    const struct sheaf_team_line *line = sheaf_report_team(other, call->team);
    return line && (int32_t)(SHEAF_PROGRESS_NUMBER(call->progress) -
                             SHEAF_PROGRESS_NUMBER(line->progress)) > 0;
}

/* Two PEs in calls of different teams, each of which needs the other PE. Their copies may be of two
 * moments: neither PE can have gone on in between, since it would have needed the other. */
static bool find_other_order(const struct sheaf_report *report, struct mismatch *mismatch)
{
    for (int one = 0; one < report->npes; one++) {
        const struct sheaf_record *call = waiting_call(&report->pes[one]);
        for (int other = one + 1; call && other < report->npes; other++) {
            const struct sheaf_record *theirs = waiting_call(&report->pes[other]);
            if (!theirs || theirs->team == call->team || !needs_pe(call, &report->pes[other]) ||
                !needs_pe(theirs, &report->pes[one]))
                continue;
            *mismatch = (struct mismatch){{one, other}, {call, theirs}, SHEAF_RECORD_SAME_ORDER};
            return true;
        }
    }
    return false;
}

bool sheaf_report_first_mismatch(const struct sheaf_report *report, char text[SHEAF_REPORT_MISMATCH])
{
    char calls[2][240], pes[2][SHEAF_REPORT_PE];
    struct mismatch mismatch;
    if (!find_other_call(report, &mismatch) && !find_other_order(report, &mismatch))
        return false;
    for (int i = 0; i < 2; i++) {
        const struct sheaf_report_pe *pe = &report->pes[mismatch.indices[i]];
        sheaf_report_name_call_fully(report, pe, mismatch.calls[i], calls[i], sizeof calls[i]);
        sheaf_report_name_pe(pe, pes[i]);
    }
    snprintf(text, SHEAF_REPORT_MISMATCH, "%s calls %s, and %s calls %s: %s", pes[0], calls[0], pes[1],
             calls[1], mismatch.rule);
    return true;
}
