/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Barriers, broadcasts, reductions, and gathering across hosts, by the levels of the host's processors: each PE binds itself to one of
 * two processors before shmem_init, and SHEAF_CPU_DOMAINS says that these are domains. What every PE wrote
 * before a barrier is there after it, in the world and in teams of it. Broadcasts of every root and sums of
 * several sizes follow one another without barriers between.
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

/* In a note, beside a counter or not, in one piece of memory, in several. */
static const size_t counts[] = {1, 6, 7, 8, 3000, 40000};
#define MOST 40000
static long source[MOST], dest[MOST];

static void fill(long seed, size_t count)
{
    for (size_t i = 0; i < count; i++)
        source[i] = seed + (long)i;
}

static void broadcast_from(shmem_team_t team, int root, size_t count, long round)
{
    long expected = 1000 * round + root;
    fill(1000 * round + shmem_team_my_pe(team), count);
    dest[0] = dest[count - 1] = -1;
    shmem_long_broadcast(team, dest, source, count, root);
    CHECK_EQ(dest[0], expected);
    CHECK_EQ(dest[count - 1], expected + (long)count - 1);
}

/* Also in place, and of elements of 16 bytes. */
static void sum_up(shmem_team_t team, size_t count, long round)
{
    static long double wide, sum;
    long size = shmem_team_n_pes(team), ranks = size * (size - 1) / 2;
    fill(1000 * round + shmem_team_my_pe(team), count);
    shmem_long_sum_reduce(team, dest, source, count);
    for (size_t i = 0; i < count; i++)
        CHECK_EQ(dest[i], size * (1000 * round + (long)i) + ranks);
    shmem_long_max_reduce(team, source, source, count);
    CHECK_EQ(source[count - 1], 1000 * round + size - 1 + (long)count - 1);
    wide = shmem_team_my_pe(team) + round;
    shmem_longdouble_sum_reduce(team, &sum, &wide, 1);
    CHECK(sum == (long double)(ranks + size * round));
}

/* Blocks of several lengths, of which a member knows its own alone; in one piece, and in several. */
static void gather(shmem_team_t team, size_t count, long round)
{
    static long all[16 * MOST];
    long me = shmem_team_my_pe(team), size = shmem_team_n_pes(team);
    fill(1000 * round + me, count);
    memset(all, 0, sizeof all);
    shmem_long_fcollect(team, all, source, count);
    for (long rank = 0; rank < size; rank++)
        for (size_t i = 0; i < count; i++)
            CHECK_EQ(all[(size_t)rank * count + i], 1000 * round + rank + (long)i);
    memset(all, 0, sizeof all);
    shmem_long_collect(team, all, source, count - (size_t)me % count);
    for (long rank = 0, at = 0; rank < size; rank++)
        for (size_t i = 0; i < count - (size_t)rank % count; i++)
            CHECK_EQ(all[at++], 1000 * round + rank + (long)i);
}

static void move_data(shmem_team_t team)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (long round = 0; round < (counts[i] > 100 ? 2 : 20); round++) {
            for (int root = 0; root < shmem_team_n_pes(team); root++)
                broadcast_from(team, root, counts[i], round);
            sum_up(team, counts[i], round);
            gather(team, counts[i], round);
        }
}

int main(void)
{
    bind_to_one();
    shmem_init();
    shmem_team_t even = SHMEM_TEAM_INVALID;
    meet(SHMEM_TEAM_WORLD);
    move_data(SHMEM_TEAM_WORLD);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (shmem_n_pes() + 1) / 2, NULL, 0, &even);
    if (even != SHMEM_TEAM_INVALID)
        meet(even), move_data(even);
    shmem_barrier_all();
    return test_finish();
}
