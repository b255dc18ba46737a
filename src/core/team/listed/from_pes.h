/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams of any PEs in any order, made by these PEs alone, without a parent's other members.
 */
#ifndef SHEAF_CORE_TEAM_LISTED_FROM_PES_H
#define SHEAF_CORE_TEAM_LISTED_FROM_PES_H

#include "core/team/team.h"

/* pes are numbers of parent; a parent of NULL returns -1 at once. Collective over the PEs in the list.
 * A PE that is not in the list gets 0 and SHMEM_TEAM_INVALID. All PEs get -1 for a list with a number
 * that is no PE of parent or stands there twice, and where a member failed. Ends the program, naming
 * the call, when there is no memory. */
int sheaf_team_from_pes(struct sheaf_team *parent, const int *pes, int size,
                        const shmem_team_config_t *config, long mask, shmem_team_t *team,
                        const char *call);

#endif
