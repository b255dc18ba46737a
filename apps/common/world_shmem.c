/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The world of OpenSHMEM.
 *
 * Each collective here has two result variables and takes them in turn: by the time a PE enters
 * the next but one, all PEs have entered the next, so they have read the result before last, and
 * it may be overwritten.
 */
#include "world.h"

#include "openshmem.h"

const char app_unit[] = "PEs";

int app_rank(void)
{
    return shmem_my_pe();
}

int app_workers(void)
{
    return shmem_n_pes();
}

void app_barrier(void)
{
    shmem_barrier_all();
}

int app_agree(int status)
{
    static int mine, all[2], turn;
    turn ^= 1;
    mine = status;
    shmem_int_max_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}

long app_sum_long(long value)
{
    static long mine, all[2];
    static int turn;
    turn ^= 1;
    mine = value;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}

uint64_t app_sum_uint64(uint64_t value)
{
    static uint64_t mine, all[2];
    static int turn;
    turn ^= 1;
    mine = value;
    shmem_uint64_sum_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}

double app_sum_double(double value)
{
    static double mine, all[2];
    static int turn;
    turn ^= 1;
    mine = value;
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}

double app_max_double(double value)
{
    static double mine, all[2];
    static int turn;
    turn ^= 1;
    mine = value;
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &all[turn], &mine, 1);
    return all[turn];
}
