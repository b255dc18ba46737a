/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_team_split_strided: who is in, in which order, what the others and a failure get, and
 * teams that work at once, nest and interleave.
 */
#include "check.h"

static long sum, term;

static void pes_left_out_get_invalid_and_zero(int me, int n)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    const int size = n > 1 ? n - 1 : 1;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, size, NULL, 0, &team), 0);
    CHECK_EQ(team == SHMEM_TEAM_INVALID, me >= size);
    CHECK_EQ(shmem_team_my_pe(team), me < size ? me : -1);
    shmem_team_destroy(team);
}

static void split_of_invalid_fails_without_communication(int me)
{
    if (me == 0) {
        shmem_team_t x = SHMEM_TEAM_WORLD;
        shmem_team_t y = SHMEM_TEAM_WORLD;
        CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &x) != 0);
        CHECK(x == SHMEM_TEAM_INVALID);
        x = SHMEM_TEAM_WORLD;
        CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &x, NULL, 0, &y) != 0);
        CHECK(x == SHMEM_TEAM_INVALID);
        CHECK(y == SHMEM_TEAM_INVALID);
    }
    shmem_barrier_all();
}

static void negative_stride_reverses_the_numbering(int me, int n)
{
    shmem_team_t team;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &team), 0);
    CHECK_EQ(shmem_team_my_pe(team), n - 1 - me);
    for (int pe = 0; pe < n; pe++)
        CHECK_EQ(shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD), n - 1 - pe);
    shmem_team_t every_second;
    const int size = (n + 1) / 2;
    CHECK_EQ(shmem_team_split_strided(team, n - 1, -2, size, NULL, 0, &every_second), 0);
    CHECK_EQ(shmem_team_my_pe(every_second), me % 2 ? -1 : me / 2);
    shmem_team_destroy(every_second);
    shmem_team_destroy(team);
}

static void stride_zero_only_with_size_one(int me, int n)
{
    shmem_team_t team;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n / 2, 0, 1, NULL, 0, &team), 0);
    CHECK_EQ(shmem_team_n_pes(team), me == n / 2 ? 1 : -1);
    if (me == n / 2)
        CHECK_EQ(shmem_team_sync(team), 0);
    shmem_team_destroy(team);
    if (n > 1) {
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 0, 2, NULL, 0, &team) != 0);
        CHECK(team == SHMEM_TEAM_INVALID);
    }
}

/* Undefined, and also said to fail: all PEs get nonzero and no team. */
static void bad_triplets_fail_on_all_pes(int n)
{
    const int bad[][3] = {{3 % n, 3, n},    {0, 1, n + 1},  {0, 1, 0},  {0, 1, -1}, {-1, 1, 1},
                          {n, 1, 1},        {0, n, 2},      {n - 1, 1, 2}, {0, -1, 2},
                          {0, 1 << 30, 4}, {0, -(1 << 30), 4}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        shmem_team_t team = SHMEM_TEAM_WORLD;
        if (i == 0 && n == 1)
            continue;
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, bad[i][0], bad[i][1], bad[i][2], NULL, 0,
                                       &team)
              != 0);
        CHECK(team == SHMEM_TEAM_INVALID);
    }
    shmem_barrier_all();
}

static void check_sum(shmem_team_t team, long expected)
{
    if (team == SHMEM_TEAM_INVALID)
        return;
    CHECK_EQ(shmem_long_sum_reduce(team, &sum, &term, 1), 0);
    CHECK_EQ(sum, expected);
}

static void parent_and_children_work_at_once_and_nest(int me, int n)
{
    enum { DEPTH = 5 };
    shmem_team_t teams[DEPTH];
    shmem_team_t parent = SHMEM_TEAM_WORLD;
    int size = n;
    int depth = 0;
    term = me + 1;
    for (; depth < DEPTH && parent != SHMEM_TEAM_INVALID; depth++) {
        const int next = (size + 1) / 2;
        CHECK_EQ(shmem_team_split_strided(parent, 0, 1, next, NULL, 0, &teams[depth]), 0);
        check_sum(teams[depth], (long)next * (next + 1) / 2);
        check_sum(parent, (long)size * (size + 1) / 2);
        parent = teams[depth];
        size = next;
    }
    while (depth > 0)
        shmem_team_destroy(teams[--depth]);
    shmem_barrier_all();
}

/* Members of two teams split them in turns; others do not take part in all of it. */
static void splits_of_different_teams_interleave(int me, int n)
{
    shmem_team_t evens;
    shmem_team_t all;
    shmem_team_t from_evens;
    shmem_team_t from_all;
    const int size = (n + 1) / 2;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, size, NULL, 0, &evens), 0);
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &all), 0);
    term = me;
    for (int i = 0; i < 5; i++) {
        if (evens != SHMEM_TEAM_INVALID) {
            CHECK_EQ(shmem_team_split_strided(evens, size - 1, -1, size, NULL, 0, &from_evens), 0);
            check_sum(from_evens, (long)size * (size - 1));
        }
        CHECK_EQ(shmem_team_split_strided(all, 0, 1, n, NULL, 0, &from_all), 0);
        check_sum(from_all, (long)n * (n - 1) / 2);
        if (evens != SHMEM_TEAM_INVALID)
            shmem_team_destroy(from_evens);
        shmem_team_destroy(from_all);
    }
    shmem_team_destroy(evens);
    shmem_team_destroy(all);
}

static void children_of_shared_and_world_have_equal_members(int n)
{
    shmem_team_t team;
    const int size = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_SHARED, 0, 1, size, NULL, 0, &team), 0);
    CHECK_EQ(shmem_team_n_pes(team), size);
    CHECK_EQ(shmem_team_my_pe(team), shmem_team_my_pe(SHMEM_TEAM_SHARED));
    term = 1;
    check_sum(team, size);
    CHECK(size <= n);
    shmem_team_destroy(team);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    pes_left_out_get_invalid_and_zero(me, n);
    split_of_invalid_fails_without_communication(me);
    negative_stride_reverses_the_numbering(me, n);
    stride_zero_only_with_size_one(me, n);
    bad_triplets_fail_on_all_pes(n);
    parent_and_children_work_at_once_and_nest(me, n);
    splits_of_different_teams_interleave(me, n);
    children_of_shared_and_world_have_equal_members(n);
    return test_finish();
}
