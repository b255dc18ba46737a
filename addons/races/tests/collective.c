/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives: their buffers, and what they order.
 */
#include "cases.h"

static long source[16], dest[64], data[8];
static long psync[SHMEM_REDUCE_SYNC_SIZE] = {0};

CASE(broadcast_and_use)
{
    source[0] = me;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 16, 0);
    USE(dest[3]);
    source[0] = 5;
}

CASE(broadcast_over_what_is_read)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 16, 0);
    USE(dest[3]);                                                /* race */
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 16, 0); /* race */
}

CASE(broadcasts_with_a_barrier_between)
{
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 16, 0);
    USE(dest[3]);
    shmem_barrier_all();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 16, 0);
}

CASE(broadcast_taken_for_barrier) /* 3 PEs */
{
    if (me == 1)
        shmem_long_p(&data[0], 1, 2); /* race */
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, source, 16, 0);
    if (me == 2)
        USE(data[0]); /* race */
}

CASE(sum_and_use)
{
    source[1] = me;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 16);
    USE(dest[1]);
    source[1] = 3;
}

CASE(sum_over_what_is_read)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 4);
    USE(dest[3]);                                             /* race */
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 4); /* race */
}

CASE(sums_into_two_buffers_in_turn)
{
    for (int round = 0; round < 5; round++) {
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest + 8 * (round % 2), source, 1);
        USE(dest[8 * (round % 2)]);
        source[0] = round;
    }
}

CASE(sum_in_place)
{
    for (int round = 0; round < 3; round++)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, dest, 16);
}

CASE(dest_not_ready)
{
    dest[2] = 1;                                            /* race */
    shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, 2); /* race */
}

CASE(dest_ready)
{
    dest[2] = 1;
    shmem_barrier_all();
    shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, 2);
    USE(dest[2]);
}

CASE(put_into_a_dest)
{
    if (me == 0)
        shmem_long_p(&dest[1], 4, 1);                       /* race */
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, source, 2); /* race */
}

CASE(sum_of_what_another_puts)
{
    if (me == 0)
        shmem_long_p(&source[2], 4, 1);                        /* race */
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 16); /* race */
}

CASE(sum_does_not_complete_puts)
{
    if (me == 0)
        shmem_long_p(&data[2], 4, 1); /* race */
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 16);
    if (me == 1)
        USE(data[2]); /* race */
}

CASE(sum_tells_that_all_have_read)
{
    USE(data[me]);
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, dest, source, 1);
    shmem_long_p(&data[1 - me], 1, 1 - me);
}

CASE(collect_and_use)
{
    shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, (size_t)me + 1);
    USE(dest[0] + dest[2]);
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dest + 16, source, 2);
    USE(dest[17]);
    shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest + 32, source, 2, 2, 2);
    USE(dest[32]);
    shmem_long_sum_inscan(SHMEM_TEAM_WORLD, dest, source, 2);
    USE(dest[0]);
}

CASE(neighbour_reads_the_result)
{
    shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, source, 4);
    shmem_barrier_all();
    USE(shmem_long_g(&dest[1], 1 - me));
}

CASE(team_synchronizes_its_members) /* 3 PEs */
{
    shmem_team_t pair;
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &pair) != 0)
        exit(3);
    if (me == 2)
        shmem_long_p(&data[0], 1, 0); /* race */
    if (pair != SHMEM_TEAM_INVALID)
        shmem_team_sync(pair);
    shmem_quiet();
    if (me == 0)
        USE(data[0]); /* race */
    shmem_barrier_all();
    shmem_team_destroy(pair);
}

CASE(team_sync_after_quiet)
{
    shmem_team_t all;
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &all) != 0)
        exit(3);
    if (me == 1)
        shmem_long_p(&data[0], 1, 0);
    shmem_quiet();
    shmem_team_sync(all);
    if (me == 0)
        USE(data[0]);
    shmem_team_destroy(all);
}

CASE(active_set_barrier)
{
    if (me == 1)
        shmem_long_p(&data[0], 1, 0);
    shmem_barrier(0, 0, 2, psync);
    if (me == 0)
        USE(data[0]);
}

CASE(active_set_sync)
{
    if (me == 1)
        shmem_long_p(&data[0], 1, 0); /* race */
    shmem_sync(0, 0, 2, psync);
    if (me == 0)
        USE(data[0]); /* race */
}

CASE(team_context) /* 3 PEs */
{
    shmem_team_t pair;
    shmem_ctx_t ctx;
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 1, 2, NULL, 0, &pair) != 0)
        exit(3);
    if (pair == SHMEM_TEAM_INVALID)
        return;
    if (shmem_team_create_ctx(pair, 0, &ctx) != 0)
        exit(3);
    if (me == 1)
        shmem_ctx_long_p(ctx, &data[5], 1, 1); /* race */
    if (me == 2)
        USE(data[5]); /* race */
    shmem_ctx_destroy(ctx);
}

CASES(RUN(broadcast_and_use), RUN(broadcast_over_what_is_read), RUN(broadcasts_with_a_barrier_between),
      RUN(broadcast_taken_for_barrier), RUN(sum_and_use), RUN(sum_over_what_is_read),
      RUN(sums_into_two_buffers_in_turn), RUN(sum_in_place), RUN(dest_not_ready), RUN(dest_ready),
      RUN(put_into_a_dest), RUN(sum_of_what_another_puts), RUN(sum_does_not_complete_puts),
      RUN(sum_tells_that_all_have_read), RUN(collect_and_use), RUN(neighbour_reads_the_result),
      RUN(team_synchronizes_its_members), RUN(team_sync_after_quiet), RUN(active_set_barrier),
      RUN(active_set_sync), RUN(team_context))
