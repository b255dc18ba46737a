/* SPDX-License-Identifier: BSD-3-Clause
 * See near.h.
 */
#include "core/team/near.h"

#include "base/pace/processor.h"

#include <stdio.h>

void sheaf_near_await_count(struct sheaf_team *team, uint32_t *word, uint32_t wanted)
{
    uint32_t now = sheaf_load_acquire(word);
    if ((int32_t)(now - wanted) >= 0)
        return;
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, sheaf_near_describe);
    while ((int32_t)(now - wanted) < 0)
        now = sheaf_wait_word(word, &team->block->sleepers, now, &wait);
    sheaf_wait_done(&wait);
}

/* How many members have not posted their note of an exchange; more than a wait asks for are not counted. */
static uint32_t missing_notes(const struct sheaf_team *team, uint32_t exchange)
{
    uint32_t missing = 0;
    for (int rank = 0; rank < team->size && missing < sheaf_pace_here.processors; rank++) {
        uint32_t theirs = sheaf_load_relaxed(&sheaf_near_note_at(team, rank, exchange)->step.number);
        missing += (int32_t)(theirs - exchange) < 0;
    }
    return missing;
}

void sheaf_near_await_note(struct sheaf_team *team, union sheaf_step *step, uint64_t mine)
{
    uint64_t theirs = sheaf_load_acquire(&step->both);
    theirs = sheaf_near_await_step(team, step, theirs, mine, missing_notes(team, (uint32_t)mine));
    if (sheaf_unlikely((uint32_t)theirs == (uint32_t)mine && theirs != mine))
        sheaf_history_differs(team);
}

void sheaf_near_arrive(struct sheaf_team *team, uint32_t epoch)
{
    const struct sheaf_tree *tree = &team->tree;
    uint64_t step = sheaf_history_step(team, epoch);
    for (int i = 0; i < tree->count; i++)
        sheaf_near_match_step(team, &team->block->members[tree->children[i]].gathered, step);
    if (tree->parent >= 0) {
        sheaf_near_store_step(team, &team->block->members[team->rank].gathered, step);
        sheaf_near_await_count(team, &team->block->members[tree->parent].released, epoch);
    }
}

void sheaf_near_release(struct sheaf_team *team, uint32_t epoch)
{
    if (team->tree.count > 0)
        sheaf_near_store_word(team, &team->block->members[team->rank].released, epoch);
}

void sheaf_near_describe(const void *object, char *text, size_t size)
{
    const struct sheaf_team *team = object;
    if (team->predefined)
        snprintf(text, size, "the %s team", team->node_domain ? "shared" : "world");
    else
        snprintf(text, size, "a team of %d PEs: %d, %d, ...", team->size,
                 sheaf_team_world_pe(team, 0), sheaf_team_world_pe(team, 1));
}
