/* SPDX-License-Identifier: BSD-3-Clause
 * See sheaf_report_sanitize().
 */
#include "report/internal.h"

#include "base/sanitize.h"

#include <stdlib.h>

/* Terminates the text, and replaces control characters, which a terminal would obey. */
static void sanitize_text(char *text, size_t size)
{
    text[size - 1] = '\0';
    sheaf_sanitize(text, 0);
}

/* Clears a line with values that no team can have. */
static void sanitize_team(struct sheaf_team_line *line)
{
    bool is_sound = line->start >= 0 && line->start < REPORT_MOST_PES && line->size > 0 &&
                    line->size <= REPORT_MOST_PES && line->stride > -REPORT_MOST_PES &&
                    line->stride < REPORT_MOST_PES && line->kind <= SHEAF_TEAM_IS_SHARED;
    if (!is_sound)
        *line = (struct sheaf_team_line){0};
}

void sheaf_report_sanitize(struct sheaf_report_pe *pe)
{
    pe->is_here = 0;
    sanitize_text(pe->host, sizeof pe->host);
    sanitize_text(pe->board.call, sizeof pe->board.call);
    sanitize_text(pe->board.file, sizeof pe->board.file);
    sanitize_text(pe->board.source, sizeof pe->board.source);
    sanitize_text(pe->board.detail, sizeof pe->board.detail);
    sanitize_text(pe->recorder.path, sizeof pe->recorder.path);
    sanitize_text(pe->recorder.called, sizeof pe->recorder.called);
    sanitize_text(pe->recorder.name, sizeof pe->recorder.name);
    for (int i = 0; i < SHEAF_RECORD_TEAMS; i++)
        sanitize_team(&pe->recorder.teams[i]);
    for (int i = 0; i < SHEAF_RECORD_LINES; i++)
        sanitize_text(pe->recorder.lines[i].file, sizeof pe->recorder.lines[i].file);
    if (pe->board.kind > SHEAF_WAIT_FAR)
        pe->board.kind = SHEAF_WAIT_NONE;
    if (pe->state > SHEAF_PE_LEFT)
        pe->state = SHEAF_PE_LEFT;
    if (pe->life < SHEAF_LIFE_RUNS || pe->life > SHEAF_LIFE_UNKNOWN)
        pe->life = SHEAF_LIFE_GONE;
}

static int by_number(const void *a, const void *b)
{
    const struct sheaf_report_pe *one = a, *other = b;
    return (one->pe > other->pe) - (one->pe < other->pe);
}

struct sheaf_report_pe *sheaf_report_find(struct sheaf_report *report, int known, int32_t number)
{
    const struct sheaf_report_pe wanted = {.pe = number};
    return known > 0 ? bsearch(&wanted, report->pes, (size_t)known, sizeof wanted, by_number) : NULL;
}

void sheaf_report_sort(struct sheaf_report *report)
{
    qsort(report->pes, (size_t)report->npes, sizeof *report->pes, by_number);
}
