/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Synchronization of the members of a team that are on one node, by notes and words in the team's block. A
 * team that spans nodes has such a team on each node, multinode->near. sync.h and note.h serve both.
 */
#ifndef SHEAF_CORE_TEAM_NEAR_H
#define SHEAF_CORE_TEAM_NEAR_H

#include "base/atomic.h"
#include "core/pe/wait.h"
#include "core/team/history.h"
#include "core/team/team.h"

#include <string.h>

/* Describes the team in words, for the status board. */
void sheaf_near_describe(const void *team, char *text, size_t size);

/* Stores a word of the block and wakes the members that sleep in sheaf_wait_word() on it. Costs a full
 * fence and a load. */
static inline void sheaf_near_store_word(struct sheaf_team *team, uint32_t *word, uint32_t value)
{
    sheaf_store_release(word, value);
    sheaf_wait_wake(word, &team->block->sleepers);
}

/* Waits until word differs from before, which it does once so many have arrived. Returns its new value. */
static inline uint32_t sheaf_near_await_last(struct sheaf_team *team, uint32_t *word, uint32_t before,
                                             uint32_t missing)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, sheaf_near_describe);
    wait.pace.missing = missing;
    uint32_t now = sheaf_wait_word(word, &team->block->sleepers, before, &wait);
    sheaf_wait_done(&wait);
    return now;
}

/* The same where nothing is known of who is missing. */
static inline uint32_t sheaf_near_await_word(struct sheaf_team *team, uint32_t *word, uint32_t before)
{
    return sheaf_near_await_last(team, word, before, 0);
}

/* Returns when word, which only grows, has reached wanted. */
void sheaf_near_await_count(struct sheaf_team *team, uint32_t *word, uint32_t wanted);

/* A barrier along the team's tree. A member has arrived once its children have; arrive returns on the root
 * when all have, on others when their parent has released them. */
void sheaf_near_arrive(struct sheaf_team *team, uint32_t epoch);
void sheaf_near_release(struct sheaf_team *team, uint32_t epoch);

/* Stores a step, a number with its digest: sheaf_history_step(). */
static inline void sheaf_near_store_step(struct sheaf_team *team, union sheaf_step *step, uint64_t both)
{
    sheaf_store_release(&step->both, both);
    sheaf_wait_wake(&step->number, &team->block->sleepers);
}

/* Waits until the step, which was theirs when last read, has reached mine. Returns its new value. missing:
 * how many have to reach theirs; 0: not known. */
static inline uint64_t sheaf_near_await_step(struct sheaf_team *team, union sheaf_step *step,
                                             uint64_t theirs, uint64_t mine, uint32_t missing)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_COLLECTIVE, team, sheaf_near_describe);
    wait.pace.missing = missing;
    while ((int32_t)((uint32_t)theirs - (uint32_t)mine) < 0)
        theirs = sheaf_wait_step_word(step, &team->block->sleepers, (uint32_t)theirs, &wait);
    sheaf_wait_done(&wait);
    return theirs;
}

/* Returns once step has reached mine. If it has the same number, its digest must be equal too: the
 * writer has made the same calls. If its number is higher, a synchronization before or after this one
 * compares the digests, since each covers all earlier calls. */
static inline void sheaf_near_match_step(struct sheaf_team *team, union sheaf_step *step, uint64_t mine)
{
    uint64_t theirs = sheaf_load_acquire(&step->both);
    if (sheaf_likely(theirs == mine))
        return;
    theirs = sheaf_near_await_step(team, step, theirs, mine, 0);
    if (sheaf_unlikely((uint32_t)theirs == (uint32_t)mine && theirs != mine))
        sheaf_history_differs(team);
}

/* The same for the step of a note, which has not been reached yet. */
void sheaf_near_await_note(struct sheaf_team *team, union sheaf_step *step, uint64_t mine);

/* Where a member's note of an exchange lies. */
static inline struct sheaf_note *sheaf_near_note_at(const struct sheaf_team *team, int rank,
                                                    uint32_t exchange)
{
    return &team->block->members[rank].notes[exchange % SHEAF_NOTE_PLACES];
}

/* Copies what a note holds, 8 bytes in most cases. */
static inline void sheaf_near_note_copy(void *dest, const void *source, size_t bytes)
{
    if (sheaf_likely(bytes == 8))
        memcpy(dest, source, 8);
    else
        memcpy(dest, source, bytes);
}

/* Fetches the cache line of this PE's next note for writing: sheaf_own_soon(). Called when the note is
 * about to be posted, and not sooner: until then the others look at copies of their own, and a look
 * without one takes the line away again. */
static inline void sheaf_near_fetch_note(const struct sheaf_team *team)
{
    sheaf_own_soon(sheaf_near_note_at(team, team->rank, team->exchange + 1));
}

/* The work of sheaf_note_post and sheaf_note_wait on one node. */
static inline void sheaf_near_note_post(struct sheaf_team *team, const void *payload, size_t bytes)
{
    uint32_t exchange = ++team->exchange;
    struct sheaf_note *note = sheaf_near_note_at(team, team->rank, exchange);
    sheaf_near_note_copy(note->payload, payload, bytes);
    sheaf_near_store_step(team, &note->step, sheaf_history_step(team, exchange));
}

static inline const void *sheaf_near_note_of(struct sheaf_team *team, int rank, uint32_t exchange)
{
    struct sheaf_note *note = sheaf_near_note_at(team, rank, exchange);
    uint64_t step = sheaf_history_step(team, exchange);
    if (sheaf_unlikely(sheaf_load_acquire(&note->step.both) != step))
        sheaf_near_await_note(team, &note->step, step);
    return note->payload;
}

static inline const void *sheaf_near_note_wait(struct sheaf_team *team, int rank)
{
    return sheaf_near_note_of(team, rank, team->exchange);
}

/* The note of the exchange that this PE's next note begins: for a note that is made of others. */
static inline const void *sheaf_near_note_ahead(struct sheaf_team *team, int rank)
{
    return sheaf_near_note_of(team, rank, team->exchange + 1);
}

#endif
