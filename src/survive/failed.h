/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a team has lost a member, where deaths are reported (survive/failure.h). It has failed
 * then, for good: a process that takes the dead one's place is no member. Every member reads the same
 * deaths, and so no collective that begins after one was told ends on some members alone.
 */
#ifndef SHEAF_SURVIVE_FAILED_H
#define SHEAF_SURVIVE_FAILED_H

#include "survive/failure.h"
#include "core/team/team.h"

/* By init.c: waits look at deaths from now on. */
void sheaf_failed_init(void);

/* Takes in the deaths up to now; whether a member is among them, and whether that one is. */
bool sheaf_failed_has(struct sheaf_team *team);
bool sheaf_failed_is_dead(struct sheaf_team *team, int rank);

/* Whether it was, when so many deaths were known, which this PE has taken in; and how many members were. */
static inline bool sheaf_failed_by(const struct sheaf_team *team, int rank, uint32_t deaths)
{
    return team->dead && team->dead[rank] != 0 && team->dead[rank] <= deaths;
}
int sheaf_failed_count_by(const struct sheaf_team *team, uint32_t deaths);

#endif
