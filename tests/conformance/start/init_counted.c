/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Initialization is counted: each call needs a finalize, and only the last one tears down; the
 * others are a barrier that frees nothing. A later init with another level changes nothing.
 */
#include "check.h"

static long arrived[2];

static void finalize_before_the_last_is_a_barrier_and_frees_nothing(long *block, shmem_team_t team,
                                                                    shmem_ctx_t ctx)
{
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    for (int i = 0; i < 2; i++) {
        shmem_long_atomic_inc(&arrived[i], 0);
        shmem_long_p(&block[i], 100 * i + me, (me + 1) % n);
        shmem_finalize();
        CHECK_EQ(shmem_long_atomic_fetch(&arrived[i], 0), n);
        CHECK_EQ(block[i], 100 * i + (me + n - 1) % n);
        CHECK_EQ(shmem_team_n_pes(team), n);
    }
    shmem_ctx_long_p(ctx, block, 77, shmem_team_my_pe(team));
    shmem_ctx_quiet(ctx);
    CHECK_EQ(*block, 77);
}

static void later_init_thread_need_not_change_the_level(void)
{
    int first;
    int provided;
    shmem_query_thread(&first);
    CHECK_EQ(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided), 0);
    CHECK(provided >= SHMEM_THREAD_SINGLE && provided <= SHMEM_THREAD_MULTIPLE);
    int now;
    shmem_query_thread(&now);
    CHECK_EQ(now, provided);
    CHECK(now >= first);
}

int main(void)
{
    shmem_init();
    shmem_init();
    later_init_thread_need_not_change_the_level();

    shmem_team_t team;
    shmem_ctx_t ctx;
    const int n = shmem_n_pes();
    long *block = shmem_malloc(2 * sizeof *block);
    CHECK(block != NULL);
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team), 0);
    CHECK_EQ(shmem_team_create_ctx(team, 0, &ctx), 0);
    finalize_before_the_last_is_a_barrier_and_frees_nothing(block, team, ctx);
    shmem_ctx_destroy(ctx);
    shmem_team_destroy(team);
    shmem_free(block);

    int initialized = -1;
    shmem_query_initialized(&initialized);
    CHECK(initialized != 0);
    shmem_finalize();
    shmem_query_initialized(&initialized);
    CHECK_EQ(initialized, 0);
    return test_finish();
}
