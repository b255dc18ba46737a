/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_team_split_2d: coordinates, a short last row, an xrange beyond the team, configurations
 * that differ among the resulting teams.
 */
#include "check.h"

static long sum, term;

static void check_teams(shmem_team_t parent, int xrange)
{
    const int n = shmem_team_n_pes(parent);
    const int me = shmem_team_my_pe(parent);
    const int width = xrange < n ? xrange : n;
    const int x = me % width;
    const int y = me / width;
    const int row = (y + 1) * width <= n ? width : n - y * width;
    const int column = (n - x + width - 1) / width;
    /* Rows differ in what they ask for, and so do columns. */
    const shmem_team_config_t xconfig = {.num_contexts = y};
    const shmem_team_config_t yconfig = {.num_contexts = x + 1};
    shmem_team_t xteam;
    shmem_team_t yteam;
    CHECK_EQ(shmem_team_split_2d(parent, xrange, &xconfig, SHMEM_TEAM_NUM_CONTEXTS, &xteam,
                                 &yconfig, SHMEM_TEAM_NUM_CONTEXTS, &yteam),
             0);
    CHECK_EQ(shmem_team_my_pe(xteam), x);
    CHECK_EQ(shmem_team_my_pe(yteam), y);
    CHECK_EQ(shmem_team_n_pes(xteam), row);
    CHECK_EQ(shmem_team_n_pes(yteam), column);
    for (int i = 0; i < row; i++)
        CHECK_EQ(shmem_team_translate_pe(xteam, i, parent), y * width + i);
    for (int i = 0; i < column; i++)
        CHECK_EQ(shmem_team_translate_pe(yteam, i, parent), i * width + x);

    term = 1;
    CHECK_EQ(shmem_long_sum_reduce(xteam, &sum, &term, 1), 0);
    CHECK_EQ(sum, row);
    CHECK_EQ(shmem_long_sum_reduce(yteam, &sum, &term, 1), 0);
    CHECK_EQ(sum, column);
    shmem_team_destroy(yteam);
    shmem_team_destroy(xteam);
}

static void rows_columns_and_short_last_row(int n)
{
    for (int xrange = 1; xrange <= n; xrange++)
        check_teams(SHMEM_TEAM_WORLD, xrange);
}

static void xrange_beyond_the_team_acts_as_its_size(int n)
{
    check_teams(SHMEM_TEAM_WORLD, n + 1);
    check_teams(SHMEM_TEAM_WORLD, 1 << 30);
}

static void any_team_can_be_parent(int n)
{
    shmem_team_t backwards;
    CHECK_EQ(shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &backwards), 0);
    check_teams(backwards, 2);
    check_teams(backwards, 3);
    shmem_team_destroy(backwards);
    check_teams(SHMEM_TEAM_SHARED, 2);
}

/* Any failure is everybody's: both handles are invalid on all PEs. */
static void failure_invalidates_both_handles_everywhere(void)
{
    const int bad[] = {0, -1, -(1 << 30)};
    for (int i = 0; i < 3; i++) {
        shmem_team_t x = SHMEM_TEAM_WORLD;
        shmem_team_t y = SHMEM_TEAM_WORLD;
        CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, bad[i], NULL, 0, &x, NULL, 0, &y) != 0);
        CHECK(x == SHMEM_TEAM_INVALID);
        CHECK(y == SHMEM_TEAM_INVALID);
    }
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    const int n = shmem_n_pes();
    rows_columns_and_short_last_row(n);
    xrange_beyond_the_team_acts_as_its_size(n);
    any_team_can_be_parent(n);
    failure_invalidates_both_handles_everywhere();
    return test_finish();
}
