/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The exchange of small notes over a team; collectives are built of it and of sync.h. It completes stores
 * only: the caller has to call quiet for other operations.
 */
#ifndef SHEAF_CORE_TEAM_NOTE_H
#define SHEAF_CORE_TEAM_NOTE_H

#include "core/team/team.h"

/* Posts up to SHEAF_NOTE_BYTES for the others to read, and begins the next exchange. Every member posts
 * once per exchange. A member's note of exchange k is overwritten in its exchange k + SHEAF_NOTE_PLACES.
 * By then all members must have begun exchange k + 1, since they have read the note then. A member knows
 * that once it has waited for all notes of a later exchange, for a note that was posted later by a member
 * that knew it, or for a sheaf_sync(). A root that waits for nobody finds it out: sheaf_coll_await_place().
 * In a team that spans nodes the call returns when all notes are there, and they stay until the next
 * exchange. */
void sheaf_note_post(struct sheaf_team *team, const void *payload, size_t bytes);

/* The note that rank posted in the current exchange; waits for it. */
const void *sheaf_note_wait(struct sheaf_team *team, int rank);

/* An exchange of one note of up to SHEAF_NOTE_BYTES. The function is called with every member's note,
 * by rank, the own one included. */
typedef void sheaf_team_read_note(void *result, int rank, const void *note);
void sheaf_team_gather(struct sheaf_team *team, const void *payload, size_t bytes,
                       sheaf_team_read_note *hear, void *result);

/* Sends any number of bytes of every member to all members, by rank, in as many exchanges as the bytes
 * fill notes. all has size * bytes, and must not overlap mine. */
void sheaf_team_exchange(struct sheaf_team *team, const void *mine, size_t bytes, void *all);

/* Sets each of count words, at most SHEAF_LOWEST_WORDS, to the lowest that any member has given, on all
 * members. Across nodes it costs a member its node's notes and a barrier's messages, where the exchanges
 * above bring it the notes of all. Like them it returns on no member before all have called it. */
void sheaf_team_lowest(struct sheaf_team *team, uint64_t *words, int count);

/* An exchange of one flag, in this way. Returns, on all members, the lowest rank whose flag is set, or
 * -1. */
int sheaf_team_first(struct sheaf_team *team, bool flag);

#endif
