/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the PEs that each PE waits for. Members of a team are compared by the number of the team's calls
 * that each has begun: those that have begun fewer are missing.
 */
#include "report/internal.h"

#include <string.h>

const struct sheaf_record *sheaf_report_call(const struct sheaf_report_pe *pe, uint32_t back)
{
    uint32_t number = pe->recorder.begun - back;
    const struct sheaf_record *record = &pe->recorder.records[number % SHEAF_RECORDS];
    return back < SHEAF_RECORDS && back < pe->recorder.begun && record->number == number ? record
                                                                                         : NULL;
}

static const struct sheaf_record *latest_call(const struct sheaf_report_pe *pe, bool is_open)
{
    for (uint32_t back = 0; back < SHEAF_RECORDS; back++) {
        const struct sheaf_record *call = sheaf_report_call(pe, back);
        if (call && (call->ended == 0) == is_open)
            return call;
        if (is_open && !pe->recorder.has_threads)
            return NULL;
    }
    return NULL;
}

const struct sheaf_record *sheaf_report_open_call(const struct sheaf_report_pe *pe)
{
    return latest_call(pe, true);
}

const struct sheaf_record *sheaf_report_last_call(const struct sheaf_report_pe *pe)
{
    return latest_call(pe, false);
}

const struct sheaf_team_line *sheaf_report_team(const struct sheaf_report_pe *pe, uint64_t identity)
{
    for (int i = 0; identity && i < SHEAF_RECORD_TEAMS; i++)
        if (pe->recorder.teams[i].team == identity)
            return &pe->recorder.teams[i];
    return NULL;
}

bool sheaf_report_is_alive(const struct sheaf_report_pe *pe)
{
    return pe->life == SHEAF_LIFE_RUNS || pe->life == SHEAF_LIFE_STOPPED;
}

bool sheaf_report_waits(const struct sheaf_report_pe *pe)
{
    return sheaf_report_is_alive(pe) && pe->board.kind != SHEAF_WAIT_NONE;
}

/* Whether the PE waits in a comparison of SHEAF_CHECK=args (core/team/agree.h): members compare their
 * calls before they begin them, so the PE has not begun its next call yet. */
static bool compares_calls(const struct sheaf_report_pe *pe)
{
    const struct sheaf_record *open = sheaf_report_open_call(pe);
    return !open || open->team != pe->board.team;
}

bool sheaf_report_collective_wait(const struct sheaf_report_pe *pe, uint64_t *team, uint64_t *progress)
{
    if (!sheaf_report_waits(pe) || pe->board.kind != SHEAF_WAIT_COLLECTIVE)
        return false;
    const struct sheaf_team_line *line = sheaf_report_team(pe, pe->board.team);
    uint64_t of_library = pe->board.object; /* shmemx_call_wait */
    *team = pe->board.team;
    *progress = of_library ? of_library : line ? line->progress + compares_calls(pe) : 0;
    return line != NULL;
}

/* The number of the team's call that the PE is in, or was in last. */
static uint32_t number_of_call(const struct sheaf_report_pe *pe, uint64_t team)
{
    uint64_t waiting_team, progress;
    if (sheaf_report_collective_wait(pe, &waiting_team, &progress) && waiting_team == team)
        return SHEAF_PROGRESS_NUMBER(progress);
    const struct sheaf_team_line *line = sheaf_report_team(pe, team);
    return line ? SHEAF_PROGRESS_NUMBER(line->progress) : 0;
}

/* Whether the PE belongs to the team that line describes. Members of a team that is no triplet are
 * known only from their own lines. */
static bool is_member(const struct sheaf_team_line *line, const struct sheaf_report_pe *pe)
{
    if (sheaf_report_team(pe, line->team))
        return true;
    long distance = (long)pe->pe - line->start;
    if (line->stride == 0)
        return false;
    return distance % line->stride == 0 && distance / line->stride >= 0 &&
           distance / line->stride < line->size;
}

/* Unmarks PEs about which nothing is known, unless only such PEs are marked. */
static void drop_unknown(const struct sheaf_report *report, bool *marked, int *count)
{
    int known = 0;
    for (int i = 0; i < report->npes; i++)
        known += marked[i] && report->pes[i].life != SHEAF_LIFE_UNKNOWN;
    for (int i = 0; known > 0 && i < report->npes; i++)
        marked[i] &= report->pes[i].life != SHEAF_LIFE_UNKNOWN;
    *count = known > 0 ? known : *count;
}

static int mark_missing(const struct sheaf_report *report, int index, bool *marked)
{
    uint64_t team, progress;
    int count = 0;
    if (!sheaf_report_collective_wait(&report->pes[index], &team, &progress))
        return 0;
    const struct sheaf_team_line *line = sheaf_report_team(&report->pes[index], team);
    for (int i = 0; i < report->npes; i++) {
        uint32_t number = number_of_call(&report->pes[i], team);
        marked[i] = is_member(line, &report->pes[i]) &&
                    (int32_t)(SHEAF_PROGRESS_NUMBER(progress) - number) > 0;
        count += marked[i];
    }
    drop_unknown(report, marked, &count);
    return count;
}

static int mark_holders(const struct sheaf_report *report, uint64_t lock, bool *marked)
{
    int count = 0;
    for (int i = 0; i < report->npes; i++) {
        for (int k = 0; lock && k < SHEAF_RECORD_LOCKS; k++)
            marked[i] |= report->pes[i].recorder.locks[k].lock == lock;
        count += marked[i];
    }
    return count;
}

int sheaf_report_awaited(const struct sheaf_report *report, int index, bool *marked)
{
    const struct sheaf_report_pe *pe = &report->pes[index];
    memset(marked, 0, (size_t)report->npes * sizeof *marked);
    if (!sheaf_report_waits(pe))
        return 0;
    if (pe->board.kind == SHEAF_WAIT_COLLECTIVE)
        return mark_missing(report, index, marked);
    return pe->board.kind == SHEAF_WAIT_LOCK ? mark_holders(report, pe->board.object, marked) : 0;
}
