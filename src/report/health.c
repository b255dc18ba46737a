/* SPDX-License-Identifier: BSD-3-Clause
 * See health.h.
 */
#include "report/health.h"

#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

/* Two copies of the job, and the findings so far; each array has an element for each PE. */
struct judgement {
    const struct sheaf_report *before, *now;
    struct sheaf_health_pe *pes;
    bool *stands; /* the PE is in the same wait in both copies */
    bool *awaited;
    bool is_survived;
};

static bool is_same_wait(const struct sheaf_report_pe *before, const struct sheaf_report_pe *now)
{
    return before->pe == now->pe && before->pid == now->pid && sheaf_report_waits(before) &&
           sheaf_report_waits(now) && before->board.since_ns == now->board.since_ns &&
           before->board.kind == now->board.kind && before->board.team == now->board.team &&
           before->board.object == now->board.object && before->recorder.begun == now->recorder.begun;
}

/* Whether the PE cannot go on before all that it waits for have acted: it waits for a lock, or in a call
 * that no member leaves before all members are in it. Of several threads another one may act. */
static bool needs_all(const struct sheaf_report_pe *pe)
{
    uint64_t team, progress;
    const struct sheaf_record *call = sheaf_report_open_call(pe);
    if (pe->recorder.has_threads)
        return false;
    if (pe->board.kind == SHEAF_WAIT_LOCK)
        return true;
    return call && call->root == SHEAF_RECORD_WAITS_FOR_ALL &&
           sheaf_report_collective_wait(pe, &team, &progress) && call->team == team &&
           call->progress == progress;
}

static bool has_ended(const struct sheaf_report_pe *pe)
{
    return pe->life == SHEAF_LIFE_EXITED || pe->life == SHEAF_LIFE_KILLED || pe->life == SHEAF_LIFE_GONE;
}

/* One that has ended before the first copy makes no call after it. */
static bool was_gone(const struct judgement *judgement, int index)
{
    return has_ended(&judgement->before->pes[index]) && has_ended(&judgement->now->pes[index]);
}

static bool waits_for_ended(struct judgement *judgement, int index)
{
    int count = sheaf_report_awaited(judgement->now, index, judgement->awaited);
    for (int i = 0; count > 0 && i < judgement->now->npes; i++)
        if (judgement->awaited[i] && was_gone(judgement, i))
            return true;
    return false;
}

static bool waits_for_stuck(struct judgement *judgement, int index)
{
    sheaf_report_awaited(judgement->now, index, judgement->awaited);
    for (int i = 0; i < judgement->now->npes; i++)
        if (judgement->awaited[i] && judgement->pes[i].is_stuck)
            return true;
    return false;
}

/* All PEs that stand may be stuck; none is that waits for no other of these. What remains waits for each
 * other. */
static bool find_circle(struct judgement *judgement)
{
    int count = judgement->now->npes, stuck = 0;
    for (int i = 0; i < count; i++) {
        judgement->pes[i].is_stuck = judgement->stands[i] && needs_all(&judgement->now->pes[i]);
        stuck += judgement->pes[i].is_stuck;
    }
    for (bool has_changed = stuck > 0; has_changed;) {
        has_changed = false;
        for (int i = 0; i < count; i++)
            if (judgement->pes[i].is_stuck && !waits_for_stuck(judgement, i)) {
                judgement->pes[i].is_stuck = false;
                has_changed = true;
                stuck--;
            }
    }
    return stuck > 0;
}

static bool find_ended(struct judgement *judgement)
{
    bool found = false;
    for (int i = 0; i < judgement->now->npes && !judgement->is_survived; i++)
        if (judgement->stands[i] && needs_all(&judgement->now->pes[i]))
            found |= judgement->pes[i].is_stuck = waits_for_ended(judgement, i);
    return found;
}

/* Counts the PE at index, which waits, at each PE that it waits for. Returns their number. */
static int count_awaited(struct judgement *judgement, int index)
{
    uint64_t ns = judgement->now->pes[index].wait_ns;
    int count = sheaf_report_awaited(judgement->now, index, judgement->awaited);
    for (int i = 0; i < judgement->now->npes; i++)
        if (judgement->awaited[i]) {
            struct sheaf_health_pe *pe = &judgement->pes[i];
            pe->waiters++;
            pe->awaited_ns = ns > pe->awaited_ns ? ns : pe->awaited_ns;
        }
    return count;
}

static void find_stragglers(struct judgement *judgement)
{
    const struct sheaf_report *now = judgement->now;
    bool waits[now->npes];
    for (int i = 0; i < now->npes; i++)
        waits[i] = judgement->stands[i] && count_awaited(judgement, i) > 0;
    for (int i = 0; i < now->npes; i++)
        judgement->pes[i].is_straggler = judgement->pes[i].waiters > 0 && !waits[i];
}

static void find_missing(struct judgement *judgement)
{
    for (int i = 0; i < judgement->now->npes; i++) {
        const struct sheaf_report_pe *pe = &judgement->now->pes[i];
        bool is_orderly = pe->state == SHEAF_PE_FINALIZED && pe->life != SHEAF_LIFE_KILLED;
        judgement->pes[i].is_missing =
            pe->life == SHEAF_LIFE_UNKNOWN || (has_ended(pe) && !is_orderly);
    }
}

static uint64_t all_wait_ns(const struct judgement *judgement)
{
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < judgement->now->npes; i++) {
        const struct sheaf_report_pe *pe = &judgement->now->pes[i];
        if (!sheaf_report_is_alive(pe))
            continue;
        uint64_t ns = judgement->stands[i] ? pe->wait_ns : 0;
        shortest = ns < shortest ? ns : shortest;
    }
    return shortest == UINT64_MAX ? 0 : shortest;
}

static enum sheaf_health_verdict verdict(struct judgement *judgement, char *text)
{
    bool is_circle = find_circle(judgement);
    if (sheaf_report_first_mismatch(judgement->now, text))
        return SHEAF_HEALTH_DIFFERS;
    text[0] = '\0';
    if (is_circle)
        return SHEAF_HEALTH_CIRCLE;
    return find_ended(judgement) ? SHEAF_HEALTH_ENDED : SHEAF_HEALTH_GOES_ON;
}

int sheaf_health_judge(struct sheaf_health *health, const struct sheaf_report *before,
                       const struct sheaf_report *now, bool is_survived)
{
    size_t count = (size_t)now->npes;
    bool *marks = calloc(2 * count + 1, sizeof *marks);
    *health = (struct sheaf_health){.pes = calloc(count + 1, sizeof *health->pes)};
    if (!marks || !health->pes) {
        free(marks);
        sheaf_health_free(health);
        return -1;
    }
    struct judgement judgement = {before, now, health->pes, marks, marks + count, is_survived};
    for (int i = 0; i < now->npes && before->npes == now->npes; i++)
        judgement.stands[i] = is_same_wait(&before->pes[i], &now->pes[i]);
    health->verdict = before->npes == now->npes ? verdict(&judgement, health->text) : SHEAF_HEALTH_GOES_ON;
    find_stragglers(&judgement);
    find_missing(&judgement);
    health->all_wait_ns = all_wait_ns(&judgement);
    free(marks);
    return 0;
}

void sheaf_health_free(struct sheaf_health *health)
{
    free(health->pes);
    *health = (struct sheaf_health){0};
}

static bool is_listed_before(const struct sheaf_report *report, int index, uint64_t team)
{
    for (int i = 0; i < index; i++)
        if (sheaf_report_team(&report->pes[i], team))
            return true;
    return false;
}

const struct sheaf_team_line *sheaf_health_next_team(const struct sheaf_report *report, int *position)
{
    while (*position < report->npes * SHEAF_RECORD_TEAMS) {
        int index = *position / SHEAF_RECORD_TEAMS, place = (*position)++ % SHEAF_RECORD_TEAMS;
        const struct sheaf_team_line *line = &report->pes[index].recorder.teams[place];
        if (line->team && !is_listed_before(report, index, line->team))
            return line;
    }
    return NULL;
}

long sheaf_health_calls(const struct sheaf_report_pe *pe, uint64_t team)
{
    const struct sheaf_team_line *line = sheaf_report_team(pe, team);
    return line ? (long)SHEAF_PROGRESS_NUMBER(line->progress) : -1;
}
