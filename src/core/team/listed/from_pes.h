/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams of any PEs in any order, made by these PEs alone: no parent takes part.
 */
#ifndef SHEAF_CORE_TEAM_LISTED_FROM_PES_H
#define SHEAF_CORE_TEAM_LISTED_FROM_PES_H

#include "core/team/team.h"

/* pes are numbers of parent, which may be NULL: -1 at once. Collective over the PEs that the list names;
 * one that it does not name gets 0 and SHMEM_TEAM_INVALID. -1 on all of them for a list that names no PE of
 * parent, or one twice, and where a member failed. Ends the program by name when there is no memory. */
int sheaf_team_from_pes(struct sheaf_team *parent, const int *pes, int size,
                        const shmem_team_config_t *config, long mask, shmem_team_t *team,
                        const char *call);

#endif
