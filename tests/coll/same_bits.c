/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A floating-point sum whose value depends on the order of addition has the same bits on every
 * PE. With the library's own choice of algorithm it has also the same bits for every length of
 * the array, namely those of adding in rank order within each node, and then the nodes' sums in the
 * order of their lowest ranks: with more than 8 nodes along a tree, whose leaves are a power of two of
 * nodes and pairs of nodes, the pairs first.
 */
#include "check.h"

#include <stdbool.h>
#include <string.h>

enum { LARGEST = 5000, MOST_PES = 64 };
static const size_t sizes[] = {1, 3, 7, 8, 100, LARGEST};

static double element(int rank, size_t index)
{
    uint64_t state = (uint64_t)rank << 32 | index;
    double fraction = (double)test_random(&state) / 1e19;
    return test_random(&state) % 2 ? fraction * 1e15 : -fraction;
}

static bool is_automatic(void)
{
    const char *name = getenv("SHMEM_REDUCE_ALGORITHM");
    return !name || !strcmp(name, "auto");
}

/* The lowest PE of my node; my own number where every PE is taken for a node of its own. */
static int lowest_here(void)
{
    const char *levels = getenv("SHEAF_LEVELS");
    bool spans = shmem_team_n_pes(SHMEM_TEAM_SHARED) < shmem_n_pes();
    if (spans && levels && !strcmp(levels, "flat"))
        return shmem_my_pe();
    return shmem_team_translate_pe(SHMEM_TEAM_SHARED, 0, SHMEM_TEAM_WORLD);
}

/* Adds neighbours until one sum is left. */
static double add_along_tree(double *sums, int count)
{
    int leaves = 1;
    while (2 * leaves <= count)
        leaves *= 2;
    for (int pair = 0; pair < count - leaves; pair++)
        sums[pair] = sums[2 * pair] + sums[2 * pair + 1];
    for (int leaf = count - leaves; leaf < leaves; leaf++)
        sums[leaf] = sums[leaf + count - leaves];
    for (; leaves > 1; leaves /= 2)
        for (int leaf = 0; leaf < leaves / 2; leaf++)
            sums[leaf] = sums[2 * leaf] + sums[2 * leaf + 1];
    return sums[0];
}

/* first[rank] is the lowest rank of rank's node. */
static double expected(const int *first, int npes, size_t index)
{
    static double parts[MOST_PES];
    double sum = 0;
    int nodes = 0;
    for (int node = 0; node < npes; node++) {
        double part = element(node, index);
        if (first[node] != node)
            continue;
        for (int rank = node + 1; rank < npes; rank++)
            if (first[rank] == node)
                part += element(rank, index);
        sum = node == 0 ? part : sum + part;
        parts[nodes++] = part;
    }
    return nodes > 8 ? add_along_tree(parts, nodes) : sum;
}

int main(void)
{
    static double source[LARGEST], sums[LARGEST], theirs[LARGEST];
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    CHECK(npes <= MOST_PES);
    static int mine;
    mine = lowest_here();
    int *first = shmem_malloc((size_t)npes * sizeof *first);
    CHECK_EQ(shmem_int_fcollect(SHMEM_TEAM_WORLD, first, &mine, 1), 0);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        size_t count = sizes[s];
        for (size_t i = 0; i < count; i++)
            source[i] = element(me, i);
        shmem_barrier_all();
        CHECK_EQ(shmem_double_sum_reduce(SHMEM_TEAM_WORLD, sums, source, count), 0);
        shmem_barrier_all();
        shmem_double_get(theirs, sums, count, (me + 1) % npes);
        CHECK(memcmp(sums, theirs, count * sizeof *sums) == 0);
        for (size_t i = 0; i < count && is_automatic(); i++) {
            double sum = expected(first, npes, i);
            CHECK(memcmp(&sum, &sums[i], sizeof sum) == 0);
        }
        shmem_barrier_all();
    }
    shmem_free(first);
    return test_finish();
}
