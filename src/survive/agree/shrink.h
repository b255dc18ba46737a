/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A team of the living members of another.
 */
#ifndef SHEAF_SURVIVE_AGREE_SHRINK_H
#define SHEAF_SURVIVE_AGREE_SHRINK_H

#include "core/team/team.h"

/* Collective over the living members of parent, which may have failed. Members that die meanwhile are
 * in the new team or not, alike on all; if they are, it has failed. 0; on all of them -1 where there
 * is no memory. */
int sheaf_team_shrink(struct sheaf_team *parent, shmem_team_t *team);

#endif
