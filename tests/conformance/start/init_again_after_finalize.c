/* SPDX-License-Identifier: BSD-3-Clause
 *
 * After the last finalize the library may be initialized again: predefined teams and contexts
 * work again, the heap is empty, statics keep their values, and nothing of before is left.
 */
#include "check.h"

#include <string.h>

enum { TIMES = 4, ELEMENTS = 1000 };

static long counter;
static long written[TIMES];

static void predefined_handles_work_again(int round)
{
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    CHECK_EQ(shmem_team_n_pes(SHMEM_TEAM_WORLD), n);
    CHECK_EQ(shmem_team_my_pe(SHMEM_TEAM_WORLD), me);
    CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) >= 1);
    shmem_ctx_long_p(SHMEM_CTX_DEFAULT, &written[round], 10 * round + me, (me + 1) % n);
    shmem_barrier_all();
    CHECK_EQ(written[round], 10 * round + (me + n - 1) % n);
    shmem_long_atomic_inc(&counter, 0);
    shmem_quiet();
    CHECK_EQ(shmem_team_sync(SHMEM_TEAM_WORLD), 0);
    if (me == 0)
        CHECK_EQ(counter, (round + 1) * n);
}

static void heap_works_again(int round)
{
    static long *first;
    long *block = shmem_malloc(ELEMENTS * sizeof *block);
    CHECK(block != NULL);
    if (round > 0)
        CHECK_EQ((char *)block - (char *)first, 0);
    first = block;
    long *source = shmem_calloc(ELEMENTS, sizeof *source);
    CHECK(source != NULL);
    for (int i = 0; i < ELEMENTS; i++) {
        CHECK_EQ(source[i], 0);
        source[i] = round * shmem_my_pe() + i;
    }
    CHECK_EQ(shmem_long_sum_reduce(SHMEM_TEAM_WORLD, block, source, ELEMENTS), 0);
    const int n = shmem_n_pes();
    for (int i = 0; i < ELEMENTS; i++)
        CHECK_EQ(block[i], (long)round * n * (n - 1) / 2 + (long)i * n);
}

/* Teams, a shareable context and blocks are left for finalize to free. */
static void leave_things_behind(void)
{
    shmem_team_t team;
    shmem_ctx_t ctx;
    const int n = shmem_n_pes();
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &team), 0);
    CHECK_EQ(shmem_team_create_ctx(team, 0, &ctx), 0);
    CHECK_EQ(shmem_ctx_create(SHMEM_CTX_SERIALIZED, &ctx), 0);
    CHECK(shmem_malloc(4096) != NULL);
}

int main(void)
{
    for (int round = 0; round < TIMES; round++) {
        int initialized = -1;
        shmem_query_initialized(&initialized);
        CHECK_EQ(initialized, 0);
        if (round % 2) {
            int provided;
            CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
        } else {
            shmem_init();
        }
        predefined_handles_work_again(round);
        heap_works_again(round);
        leave_things_behind();
        shmem_finalize();
    }
    return 0;
}
