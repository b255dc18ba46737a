/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The teams that each collective is tested on, and the values that it moves: a function of rank,
 * index and round, so that each PE can compute what any other has.
 */
#ifndef TEST_COLL_TEAMS_H
#define TEST_COLL_TEAMS_H

#include "check.h"

#include <stdbool.h>

struct group {
    const char *name;
    shmem_team_t team;
    int rank, size;
};

enum { GROUPS = 4 };

/* The world; the world backwards; every other PE (the even ones and the odd ones are two teams);
 * each PE alone. */
void groups_make(struct group groups[GROUPS]);
void groups_destroy(struct group groups[GROUPS]);

static inline uint64_t value(int rank, size_t index, unsigned round)
{
    uint64_t state = ((uint64_t)rank << 48) ^ ((uint64_t)round << 24) ^ index;
    return test_random(&state);
}

#endif
