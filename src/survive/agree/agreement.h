/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the living members of a team agree on, though members die while they do. On a node a member's
 * opinion is in memory that outlives it: it is there or it is not, the same to all, once the member is
 * known to be dead. So one exchange suffices: nobody leads, and whoever has heard all others knows what
 * all will hear.
 *
 * It takes no part in the team's other calls, so it serves a team that has failed.
 */
#ifndef SHEAF_SURVIVE_AGREE_AGREEMENT_H
#define SHEAF_SURVIVE_AGREE_AGREEMENT_H

#include "core/team/team.h"

/* Collective over the team's living members, each of which returns the same: *flags, the bitwise and of
 * those of all members that came, among them perhaps some that have died since; and the deaths that
 * count: every member that did not come is among them (sheaf_failed_by()). */
uint32_t sheaf_agreement(struct sheaf_team *team, uint64_t *flags);

/* The same of members that have met a death and make a new team, on a node. A member that has not, and is
 * in the other one, returns from that with flags that are no longer its team's, and comes then: until all
 * are here. */
uint32_t sheaf_agreement_to_repair(struct sheaf_team *team, uint64_t *flags);

/* The library's own, of all living PEs, for calls that the living make without the dead: allocation and
 * the end. A PE that has left such a sequence of calls, since it has met a death, is in an agreement of
 * the program's instead: it refuses for the others, and they return false, all alike. Of *flags bit 63 is
 * not the caller's. */
bool sheaf_agreement_of_living(uint64_t *flags);

#endif
