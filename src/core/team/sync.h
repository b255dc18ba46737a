/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The barrier of a team: with note.h what collectives are made of. It completes nothing but stores: quiet
 * is the caller's.
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

/* The same as a call of the program's own, which the flight recorder has; a team of one has nothing to
 * remember. */
void sheaf_sync_recorded(struct sheaf_team *team);
static inline void sheaf_sync_called(struct sheaf_team *team)
{
    if (sheaf_likely(team->size != 1))
        sheaf_sync_recorded(team);
}

#endif
