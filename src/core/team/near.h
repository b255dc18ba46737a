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

/* The same with a step, whose digest goes with the number: sheaf_history_step(). */
static inline void sheaf_near_step(struct sheaf_team *team, union sheaf_step *step, uint64_t both)
{
    sheaf_store_release(&step->both, both);
    sheaf_wait_wake(&step->number, &team->block->sleepers);
}

/* Waits until theirs, once read from step, has reached mine; returns what it is then. */
static inline uint64_t sheaf_near_await_step(struct sheaf_team *team, union sheaf_step *step,
                                             uint64_t theirs, uint64_t mine)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, sheaf_near_describe);
    while ((int32_t)((uint32_t)theirs - (uint32_t)mine) < 0)
        theirs = sheaf_wait_step_word(step, &team->block->sleepers, (uint32_t)theirs, &wait);
    sheaf_wait_done(&wait);
    return theirs;
}

/* Returns once step has reached mine: with the same number its writer must have called the same as I. One
 * that is further has been compared by then, or will be: digests are of all calls. */
static inline void sheaf_near_meet(struct sheaf_team *team, union sheaf_step *step, uint64_t mine)
{
    uint64_t theirs = sheaf_load_acquire(&step->both);
    if (sheaf_likely(theirs == mine))
        return;
    theirs = sheaf_near_await_step(team, step, theirs, mine);
    if (sheaf_unlikely((uint32_t)theirs == (uint32_t)mine && theirs != mine))
        sheaf_history_differs(team);
}

/* My note of the next exchange, which I am about to post: sheaf_own_soon(). */
static inline void sheaf_near_note_soon(const struct sheaf_team *team)
{
    sheaf_own_soon(&team->block->members[team->rank].notes[(team->exchange + 1) & 1]);
}

/* As sheaf_note_post and sheaf_note_wait. */
static inline void sheaf_near_note_post(struct sheaf_team *team, const void *payload, size_t bytes)
{
    uint32_t exchange = ++team->exchange;
    struct sheaf_note *note = &team->block->members[team->rank].notes[exchange & 1];
    memcpy(note->payload, payload, bytes);
    sheaf_near_step(team, &note->step, sheaf_history_step(team, exchange));
}

static inline const void *sheaf_near_note_wait(struct sheaf_team *team, int rank)
{
    uint32_t exchange = team->exchange;
    struct sheaf_note *note = &team->block->members[rank].notes[exchange & 1];
    sheaf_near_meet(team, &note->step, sheaf_history_step(team, exchange));
    return note->payload;
}

#endif
