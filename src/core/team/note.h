/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The exchange of small notes over a team: with sync.h what collectives are made of. It completes nothing
 * but stores: quiet is the caller's.
 */
#ifndef SHEAF_CORE_TEAM_NOTE_H
#define SHEAF_CORE_TEAM_NOTE_H

#include "core/team/team.h"

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

/* Any number of bytes of every member, by rank, to all: as many exchanges as they fill notes. all: size *
 * bytes, which mine may not overlap. */
void sheaf_team_exchange(struct sheaf_team *team, const void *mine, size_t bytes, void *all);

/* An exchange of one flag: the lowest rank whose flag is set, on all members, or -1. */
int sheaf_team_first(struct sheaf_team *team, bool flag);

#endif
