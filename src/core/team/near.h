/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the members of a team that are on one node meet: by notes and words in its block. A team that spans
 * nodes has such a team on each, multinode->near; sync.h and note.h know both.
 */
#ifndef SHEAF_CORE_TEAM_NEAR_H
#define SHEAF_CORE_TEAM_NEAR_H

#include "base/atomic.h"
#include "core/pe/wait.h"
#include "core/team/history.h"
#include "core/team/team.h"

#include <string.h>

/* The team in words, for the status board. */
void sheaf_near_describe(const void *team, char *text, size_t size);

/* Stores a word of the block and wakes the members that sleep in sheaf_wait_word() on it. Costs a full
 * fence and a load. */
static inline void sheaf_near_tell(struct sheaf_team *team, uint32_t *word, uint32_t value)
{
    sheaf_store_release(word, value);
    sheaf_wait_wake(word, &team->block->sleepers);
}

/* Waits until word is another than before; returns what it is then. */
static inline uint32_t sheaf_near_await(struct sheaf_team *team, uint32_t *word, uint32_t before)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, sheaf_near_describe);
    uint32_t now = sheaf_wait_word(word, &team->block->sleepers, before, &wait);
    sheaf_wait_done(&wait);
    return now;
}

/* The same with a step, whose digest goes with the number. */
static inline void sheaf_near_step(struct sheaf_team *team, union sheaf_step *step, uint32_t number)
{
    sheaf_store_release(&step->both, sheaf_history_step(team, number));
    sheaf_wait_wake(&step->number, &team->block->sleepers);
}

/* Where step has this number its writer must have called the same as I. One that is further has been
 * compared by then, or will be: digests are of all calls. */
static inline void sheaf_near_compare(struct sheaf_team *team, const union sheaf_step *step,
                                      uint32_t number)
{
    uint64_t both = sheaf_load_relaxed(&step->both);
    if (sheaf_unlikely((uint32_t)both == number && both != sheaf_history_step(team, number)))
        sheaf_history_differs(team);
}

/* As sheaf_note_post and sheaf_note_wait. */
static inline void sheaf_near_note_post(struct sheaf_team *team, const void *payload, size_t bytes)
{
    uint32_t exchange = ++team->exchange;
    struct sheaf_note *note = &team->block->members[team->rank].notes[exchange & 1];
    memcpy(note->payload, payload, bytes);
    sheaf_near_step(team, &note->step, exchange);
}

static inline const void *sheaf_near_note_wait(struct sheaf_team *team, int rank)
{
    uint32_t exchange = team->exchange;
    struct sheaf_note *note = &team->block->members[rank].notes[exchange & 1];
    uint64_t both = sheaf_load_acquire(&note->step.both);
    if (sheaf_likely(both == sheaf_history_step(team, exchange)))
        return note->payload;
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, sheaf_near_describe);
    for (uint32_t now = (uint32_t)both; now != exchange;)
        now = sheaf_wait_word(&note->step.number, &team->block->sleepers, now, &wait);
    sheaf_wait_done(&wait);
    sheaf_near_compare(team, &note->step, exchange);
    return note->payload;
}

#endif
