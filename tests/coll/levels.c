/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers by the levels of the host's processors: each PE binds itself to one of two processors before
 * shmem_init, and SHEAF_CPU_DOMAINS says that these are domains. What every PE wrote before a barrier is
 * there after it, in the world and in teams of it.
 */
#define _GNU_SOURCE
#include "check.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 200
static long round_of[64];

static void bind_to_one(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(getpid() % 2, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        printf("processors 0 and 1 are not both this process's\n");
        exit(TEST_STATUS_SKIPPED);
    }
}

static void meet(shmem_team_t team)
{
    int me = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
    memset(round_of, 0, sizeof round_of);
    shmem_team_sync(team);
    for (long round = 1; round <= ROUNDS; round++) {
        for (int rank = 0; rank < size; rank++)
            shmem_long_p(&round_of[me], round, shmem_team_translate_pe(team, rank, SHMEM_TEAM_WORLD));
        shmem_quiet();
        shmem_team_sync(team);
        for (int rank = 0; rank < size; rank++)
            CHECK_EQ(round_of[rank], round);
        shmem_team_sync(team);
    }
}

int main(void)
{
    bind_to_one();
    shmem_init();
    shmem_team_t even = SHMEM_TEAM_INVALID;
    meet(SHMEM_TEAM_WORLD);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (shmem_n_pes() + 1) / 2, NULL, 0, &even);
    if (even != SHMEM_TEAM_INVALID)
        meet(even);
    shmem_barrier_all();
    return test_finish();
}
