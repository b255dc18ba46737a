/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What node/growth.c measures, by MPI's one-sided operations, under the same names: with a passive target
 * (MPI_Win_lock_all once, MPI_Put or MPI_Get, MPI_Win_flush), and with an active one (between two fences, which
 * both processes call). Strided by a vector type at either end.
 */
#include "mpi_bench.h"

#include "../growth.h"

static MPI_Win passive, active;
static MPI_Datatype runs;
static char *here;

static void begin_put(size_t bytes)
{
    MPI_Put(here, (int)bytes, MPI_BYTE, 1, 0, (int)bytes, MPI_BYTE, passive);
}

static void begin_get(size_t bytes)
{
    MPI_Get(here, (int)bytes, MPI_BYTE, 1, 0, (int)bytes, MPI_BYTE, passive);
}

static void begin_put_strided(size_t bytes)
{
    int count = growth_runs(bytes);
    MPI_Put(here, count, runs, 1, 0, count, runs, passive);
}

static void begin_get_strided(size_t bytes)
{
    int count = growth_runs(bytes);
    MPI_Get(here, count, runs, 1, 0, count, runs, passive);
}

static void end_flush(size_t bytes)
{
    (void)bytes;
    MPI_Win_flush(1, passive);
}

static void fence_first(size_t bytes)
{
    (void)bytes;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, active);
}

static void fence_last(size_t bytes)
{
    (void)bytes;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, active);
}

static void begin_put_fenced(size_t bytes)
{
    fence_first(bytes);
    MPI_Put(here, (int)bytes, MPI_BYTE, 1, 0, (int)bytes, MPI_BYTE, active);
}

static void begin_get_fenced(size_t bytes)
{
    fence_first(bytes);
    MPI_Get(here, (int)bytes, MPI_BYTE, 1, 0, (int)bytes, MPI_BYTE, active);
}

static const struct growth_transfer transfers[] = {
    {"put", begin_put, end_flush, NULL, NULL, 1},
    {"get", begin_get, end_flush, NULL, NULL, 1},
    {"put, strided", begin_put_strided, end_flush, NULL, NULL, 1},
    {"get, strided", begin_get_strided, end_flush, NULL, NULL, 1},
    {"put, by fence", begin_put_fenced, fence_last, fence_first, fence_last, 0},
    {"get, by fence", begin_get_fenced, fence_last, fence_first, fence_last, 0},
};

int main(int argc, char **argv)
{
    char *there, *fenced;
    bench_start(argc, argv);
    here = bench_memory(2 * GROWTH_MOST);
    runs = bench_runs(GROWTH_RUN);
    MPI_Win_allocate((MPI_Aint)(2 * GROWTH_MOST), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &there, &passive);
    MPI_Win_allocate((MPI_Aint)(2 * GROWTH_MOST), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &fenced, &active);
    memset(there, 1, 2 * GROWTH_MOST);
    memset(fenced, 1, 2 * GROWTH_MOST);
    bench_barrier();
    MPI_Win_lock_all(MPI_MODE_NOCHECK, passive);
    growth_run(transfers, sizeof transfers / sizeof *transfers);
    MPI_Win_unlock_all(passive);
    MPI_Win_free(&passive);
    MPI_Win_free(&active);
    MPI_Type_free(&runs);
    free(here);
    bench_end();
}
