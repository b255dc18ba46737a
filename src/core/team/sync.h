/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What collectives are made of: a barrier, and an exchange of small notes, both over a team.
 * Neither completes anything but stores: quiet is the caller's.
 */
#ifndef SHEAF_CORE_TEAM_SYNC_H
#define SHEAF_CORE_TEAM_SYNC_H

#include "base/settings/names.h"
#include "core/team/team.h"

/* Which barrier teams of so many members use, never SHEAF_BARRIER_AUTO; for teams that get their
 * block from now on. Called by the collectives, which have the table, at each initialization. */
void sheaf_sync_set_choice(enum sheaf_barrier_algorithm (*choice)(int size));

/* Decides how team's barriers are done: for sheaf_team_attach_block(). */
void sheaf_sync_attach(struct sheaf_team *team);

/* team->barrier of one that spans nodes. */
#define SHEAF_BARRIER_SPANNING SHEAF_BARRIER_ALGORITHMS

/* Returns when every member has called it. What a member stored before it is visible to all
 * after it. Notes that a member reads only later must be of a later exchange: team->read. */
void sheaf_sync(struct sheaf_team *team);

/* Posts up to SHEAF_NOTE_BYTES for the others to read and begins the next exchange. Every
 * member posts once per exchange. A member's note of exchange k is overwritten by its exchange
 * k + 2, so between the two each member must have waited for all notes of k + 1, or a
 * sheaf_sync() must lie between. In a team that spans nodes it returns when all notes are there,
 * which stay until the next exchange. */
void sheaf_note_post(struct sheaf_team *team, const void *payload, size_t bytes);

/* The note that rank posted in the current exchange; waits for it. */
const void *sheaf_note_wait(struct sheaf_team *team, int rank);

/* Every member tells all the others, up to SHEAF_NOTE_BYTES: an exchange in which hear is given every
 * member's note, by rank, own included. */
typedef void sheaf_team_hear(void *result, int rank, const void *note);
void sheaf_team_gather(struct sheaf_team *team, const void *payload, size_t bytes,
                       sheaf_team_hear *hear, void *result);

/* An exchange of one flag: the lowest rank whose flag is set, on all members, or -1. */
int sheaf_team_first(struct sheaf_team *team, bool flag);

/* Wakes members asleep in sheaf_wait_word() on a word of this team's block: call it after
 * storing such a word. Costs a full fence and a load. */
void sheaf_sync_wake(struct sheaf_team *team, uint32_t *word);

/* The team in words, for the status board. */
void sheaf_sync_describe(const void *team, char *text, size_t size);

#endif
