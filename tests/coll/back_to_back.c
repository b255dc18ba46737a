/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives one right after the other on one team, with nothing in between: 1000 rounds of the same
 * call, and 2000 rounds of calls drawn by a generator that all PEs seed alike, over small and large
 * payloads, mixed with barriers; a fifth of that from 16 PEs on. Each result is checked before the next
 * call may spoil it, and every source is overwritten as soon as its call returns.
 */
#include "teams.h"

enum { LARGEST = 300, ROUNDS = 1000, MIXED = 2000, CALLS = 7 };

static uint64_t *source;
static uint64_t *dest;
static unsigned divisor = 1; /* of the rounds */

static void fill(const struct group *group, size_t count, unsigned round)
{
    for (size_t i = 0; i < count; i++)
        source[i] = value(group->rank, i, round);
}

static void broadcast(const struct group *group, size_t count, unsigned round)
{
    int root = (int)(round % (unsigned)group->size);
    CHECK_EQ(shmem_uint64_broadcast(group->team, dest, source, count, root), 0);
    for (size_t i = 0; i < count; i++)
        CHECK_EQ(dest[i], value(root, i, round));
}

static void fcollect(const struct group *group, size_t count, unsigned round)
{
    CHECK_EQ(shmem_uint64_fcollect(group->team, dest, source, count), 0);
    for (size_t i = 0; i < count * (size_t)group->size; i++)
        CHECK_EQ(dest[i], value((int)(i / count), i % count, round));
}

static void collect(const struct group *group, size_t count, unsigned round)
{
    size_t at = 0;
    CHECK_EQ(shmem_uint64_collect(group->team, dest, source, count * (size_t)(group->rank % 3)), 0);
    for (int rank = 0; rank < group->size; rank++)
        for (size_t i = 0; i < count * (size_t)(rank % 3); i++)
            CHECK_EQ(dest[at++], value(rank, i, round));
}

static void alltoall(const struct group *group, size_t count, unsigned round)
{
    CHECK_EQ(shmem_uint64_alltoall(group->team, dest, source, count), 0);
    for (size_t i = 0; i < count * (size_t)group->size; i++)
        CHECK_EQ(dest[i], value((int)(i / count), (size_t)group->rank * count + i % count, round));
}

static void expect_sum(size_t count, int ranks, unsigned round)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (int rank = 0; rank < ranks; rank++)
            sum += value(rank, i, round);
        CHECK_EQ(dest[i], sum);
    }
}

static void reduce(const struct group *group, size_t count, unsigned round)
{
    CHECK_EQ(shmem_uint64_sum_reduce(group->team, dest, source, count), 0);
    expect_sum(count, group->size, round);
}

static void scan(const struct group *group, size_t count, unsigned round)
{
    CHECK_EQ(shmem_uint64_sum_inscan(group->team, dest, source, count), 0);
    expect_sum(count, group->rank + 1, round);
}

static void barrier(const struct group *group, size_t count, unsigned round)
{
    (void)count;
    (void)round;
    shmem_team_sync(group->team);
}

typedef void collective(const struct group *group, size_t count, unsigned round);
static collective *const calls[CALLS] = {broadcast, fcollect, collect, alltoall,
                                         reduce,    scan,     barrier};

/* A PE that is late by chance finds the others one call ahead. */
static void run(const struct group *group, int call, size_t count, unsigned round, uint64_t *own)
{
    fill(group, count * (size_t)group->size * 2, round);
    if (test_random_below(own, 64) == 0)
        for (volatile int i = 0; i < 20000; i++)
            ;
    calls[call](group, count, round);
}

static void repeat(const struct group *group, uint64_t *own)
{
    for (int call = 0; call < CALLS; call++)
        for (unsigned round = 1; round <= ROUNDS / divisor; round++)
            run(group, call, 1 + round % 9, round, own);
}

static void mix(const struct group *group, uint64_t *shared, uint64_t *own)
{
    for (unsigned round = 1; round <= MIXED / divisor; round++) {
        int call = (int)test_random_below(shared, CALLS);
        bool large = test_random_below(shared, 8) == 0;
        size_t count = 1 + test_random_below(shared, large ? LARGEST : 9);
        run(group, call, count, round, own);
    }
}

int main(void)
{
    struct group groups[GROUPS];
    shmem_init();
    uint64_t own = (uint64_t)shmem_my_pe();
    if (shmem_n_pes() >= 16)
        divisor = 5;
    size_t room = 2 * (size_t)LARGEST * (size_t)shmem_n_pes();
    source = shmem_malloc(room * sizeof *source);
    dest = shmem_malloc(room * sizeof *dest);
    CHECK(source && dest);
    groups_make(groups);
    for (int g = 0; g < GROUPS; g++) {
        uint64_t shared = 2026;
        repeat(&groups[g], &own);
        mix(&groups[g], &shared, &own);
        shmem_barrier_all();
    }
    groups_destroy(groups);
    return test_finish();
}
