/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations whose algorithm can be chosen, few times each, so that every algorithm can run on
 * every number of PEs: barrier, broadcast, fcollect and reduce on the world, every other PE and
 * the world backwards, with sizes that fit a note, a block, and neither.
 */
#include "teams.h"

enum { LARGEST = 1100, SIZES = 5, ROUNDS = 3 };
static const size_t sizes[SIZES] = {1, 6, 7, 64, LARGEST};

static uint64_t *source, *dest;
static long *seen; /* the last round that each PE of the world has told me of */

/* After a barrier each member knows what each told it before, and nobody is a barrier ahead. */
static void barrier(const struct group *group, long round)
{
    int me = shmem_my_pe();
    for (int rank = 0; rank < group->size; rank++)
        shmem_long_p(&seen[me], round,
                     shmem_team_translate_pe(group->team, rank, SHMEM_TEAM_WORLD));
    shmem_quiet();
    shmem_team_sync(group->team);
    for (int rank = 0; rank < group->size; rank++)
        CHECK_EQ(seen[shmem_team_translate_pe(group->team, rank, SHMEM_TEAM_WORLD)], round);
    shmem_team_sync(group->team);
}

static void fill(const struct group *group, size_t count, unsigned round)
{
    for (size_t i = 0; i < count; i++)
        source[i] = value(group->rank, i, round);
}

static void broadcast(const struct group *group, size_t count, unsigned round)
{
    int root = (int)round % group->size;
    fill(group, count, round);
    CHECK_EQ(shmem_uint64_broadcast(group->team, dest, source, count, root), 0);
    for (size_t i = 0; i < count; i++)
        CHECK_EQ(dest[i], value(root, i, round));
}

static void fcollect(const struct group *group, size_t count, unsigned round)
{
    fill(group, count, round);
    CHECK_EQ(shmem_uint64_fcollect(group->team, dest, source, count), 0);
    for (size_t i = 0; i < count * (size_t)group->size; i++)
        CHECK_EQ(dest[i], value((int)(i / count), i % count, round));
}

static void reduce(const struct group *group, size_t count, unsigned round)
{
    uint64_t *result = round % 2 ? source : dest;
    fill(group, count, round);
    CHECK_EQ(shmem_uint64_sum_reduce(group->team, result, source, count), 0);
    for (size_t i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (int rank = 0; rank < group->size; rank++)
            sum += value(rank, i, round);
        CHECK_EQ(result[i], sum);
    }
}

int main(void)
{
    struct group groups[GROUPS];
    unsigned round = 0;
    shmem_init();
    size_t npes = (size_t)shmem_n_pes();
    source = shmem_malloc(LARGEST * sizeof *source);
    dest = shmem_malloc(LARGEST * npes * sizeof *dest);
    seen = shmem_calloc(npes, sizeof *seen);
    CHECK(source && dest && seen);
    groups_make(groups);
    for (int g = 0; g < GROUPS; g++) {
        for (int repeated = 0; repeated < ROUNDS; repeated++)
            for (int s = 0; s < SIZES; s++) {
                round++;
                barrier(&groups[g], round);
                broadcast(&groups[g], sizes[s], round);
                fcollect(&groups[g], sizes[s], round);
                reduce(&groups[g], sizes[s], round);
            }
        shmem_barrier_all();
    }
    groups_destroy(groups);
    return test_finish();
}
