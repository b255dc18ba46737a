/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A team, or an active set, as team.c keeps it and meeting.c reads it.
 */
#ifndef SHEAF_RACES_TEAM_H
#define SHEAF_RACES_TEAM_H

#include "races/internal.h"

struct races_team {
    shmem_team_t handle; /* SHMEM_TEAM_INVALID: an active set, or gone */
    uint64_t key, number;
    uint64_t list, generation; /* generation: of the teams of the same list of members; 0: not counted */
    int size, rank;
    int *members; /* in the world */
    struct races_arrival *arrivals;
    unsigned meeting; /* its number */
    bool is_of_shared;
};

#endif
