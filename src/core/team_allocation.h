/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocation of team memory: the agreement among a team's members on an offset that is free on all of them,
 * with the barriers and null results of allocation.h. Collective over the team.
 */
#ifndef SHEAF_CORE_TEAM_ALLOCATION_H
#define SHEAF_CORE_TEAM_ALLOCATION_H

#include "core/team/team.h"

#include <stdbool.h>
#include <stddef.h>

void *sheaf_team_memory_allocate(struct sheaf_team *team, size_t size, bool zeroed, const char *call);
void sheaf_team_memory_free(struct sheaf_team *team, void *block, const char *call);

#endif
