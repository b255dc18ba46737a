/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same operations by OpenSHMEM and, compiled with -DBENCH_PEER_MPI, by MPI: barrier, allreduce, broadcast,
 * allgather, alltoall; put and get with a flush, fetch-add, accumulate. Source buffers change: before each
 * operation their owner writes a word of every cache line. A collective has a barrier after it, so that each PE
 * takes as long as the slowest.
 */
#ifdef BENCH_PEER_MPI
#include "../mpi/mpi_bench.h"
#else
#include "../bench.h"

#include <shmemx.h>
#endif
#include <stdint.h>

#define MOST ((size_t)1 << 20)
#define LINE_LONGS 8

/* The operations. into, from: blocks of all PEs behind one another, where an operation takes several. */
#ifdef BENCH_PEER_MPI

static MPI_Win window;

static void allreduce(long *into, const long *from, int longs)
{
    MPI_Allreduce(from, into, longs, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}

/* Rank 0's from into everybody's from: MPI has one buffer for both, and OpenSHMEM may have. */
static void broadcast(long *into, const long *from, int longs)
{
    (void)into;
    MPI_Bcast((long *)(uintptr_t)from, longs, MPI_LONG, 0, MPI_COMM_WORLD);
}

static void allgather(long *into, const long *from, int longs)
{
    MPI_Allgather(from, longs, MPI_LONG, into, longs, MPI_LONG, MPI_COMM_WORLD);
}

static void alltoall(long *into, const long *from, int longs)
{
    MPI_Alltoall(from, longs, MPI_LONG, into, longs, MPI_LONG, MPI_COMM_WORLD);
}

static void put(long *into, const long *from, int longs)
{
    (void)into;
    MPI_Put(from, longs, MPI_LONG, 1, 0, longs, MPI_LONG, window);
    MPI_Win_flush(1, window);
}

static void get(long *into, const long *from, int longs)
{
    (void)from;
    MPI_Get(into, longs, MPI_LONG, 1, 0, longs, MPI_LONG, window);
    MPI_Win_flush(1, window);
}

static void fetch_add(long *into, const long *from, int longs)
{
    (void)longs;
    MPI_Fetch_and_op(from, into, MPI_LONG, 1, 0, MPI_SUM, window);
    MPI_Win_flush(1, window);
}

static void accumulate(long *into, const long *from, int longs)
{
    (void)into;
    MPI_Accumulate(from, longs, MPI_LONG, 1, 0, longs, MPI_LONG, MPI_SUM, window);
    MPI_Win_flush(1, window);
}

static void accumulate_doubles(long *into, const long *from, int longs)
{
    (void)into;
    MPI_Accumulate(from, longs, MPI_DOUBLE, 1, 0, longs, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_flush(1, window);
}

/* The window's memory is what put, get and the like have for their target; what they have here is private. */
static void start(int argc, char **argv, long **into, long **from)
{
    long *target;
    bench_start(argc, argv);
    *into = (void *)bench_memory(MOST * (size_t)bench_pes);
    *from = (void *)bench_memory(MOST * (size_t)bench_pes);
    MPI_Win_allocate((MPI_Aint)MOST, sizeof **into, MPI_INFO_NULL, MPI_COMM_WORLD, &target, &window);
    memset(target, 1, MOST);
    bench_barrier();
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
}

static void end(long *into, long *from)
{
    bench_barrier();
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    free(into);
    free(from);
    bench_end();
}

#else

static void allreduce(long *into, const long *from, int longs)
{
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, into, from, (size_t)longs);
}

static void broadcast(long *into, const long *from, int longs)
{
    (void)into;
    shmem_long_broadcast(SHMEM_TEAM_WORLD, (long *)(uintptr_t)from, from, (size_t)longs, 0);
}

static void allgather(long *into, const long *from, int longs)
{
    shmem_long_fcollect(SHMEM_TEAM_WORLD, into, from, (size_t)longs);
}

static void alltoall(long *into, const long *from, int longs)
{
    shmem_long_alltoall(SHMEM_TEAM_WORLD, into, from, (size_t)longs);
}

static void put(long *into, const long *from, int longs)
{
    shmem_long_put(into, from, (size_t)longs, 1);
    shmem_quiet();
}

static void get(long *into, const long *from, int longs)
{
    shmem_long_get(into, from, (size_t)longs, 1);
}

static void fetch_add(long *into, const long *from, int longs)
{
    (void)longs;
    BENCH_KEEP(shmem_long_atomic_fetch_add(into, *from, 1));
}

static void accumulate(long *into, const long *from, int longs)
{
    shmemx_long_accumulate(into, from, 1, (size_t)longs, 1);
    shmem_quiet();
}

static void accumulate_doubles(long *into, const long *from, int longs)
{
    shmemx_double_accumulate((void *)into, (const void *)from, 1, (size_t)longs, 1);
    shmem_quiet();
}

static void start(int argc, char **argv, long **into, long **from)
{
    (void)argc;
    (void)argv;
    bench_start();
    *into = bench_memory(MOST * (size_t)bench_pes);
    *from = bench_memory(MOST * (size_t)bench_pes);
}

static void end(long *into, long *from)
{
    shmem_free(from);
    shmem_free(into);
    bench_end();
}

#endif

typedef void operation(long *into, const long *from, int longs);

static void change(long *from, int longs, long value)
{
    for (int i = 0; i < longs; i += LINE_LONGS)
        from[i] = value;
}

/* blocks: of these bytes, in the source. */
static void measure_collective(const char *what, operation *call, long *into, long *from, size_t bytes,
                               int blocks)
{
    struct bench_run run;
    int longs = (int)(bytes / sizeof *from);
    for (bench_begin(&run, what, bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            change(from, longs * blocks, i);
            call(into, from, longs);
            bench_barrier();
        }
}

/* What the source's words count from: as doubles they begin at 2. */
#define FROM_ZERO 0
#define FROM_TWO  (1L << 62)

static void measure_one_sided(const char *what, operation *call, long *into, long *from, size_t bytes, long first)
{
    struct bench_run run;
    int longs = (int)(bytes / sizeof *from);
    for (bench_begin_alone(&run, what, bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            change(from, longs, first + i);
            call(into, from, longs);
        }
}

static void measure_size(long *into, long *from, size_t bytes)
{
    measure_collective("MPI_Allreduce + barrier", allreduce, into, from, bytes, 1);
    measure_collective("MPI_Bcast + barrier", broadcast, into, from, bytes, 1);
    measure_collective("MPI_Allgather + barrier", allgather, into, from, bytes, 1);
    measure_collective("MPI_Alltoall + barrier", alltoall, into, from, bytes, bench_pes);
    if (bench_me == 0) {
        measure_one_sided("MPI_Put + flush", put, into, from, bytes, FROM_ZERO);
        measure_one_sided("MPI_Get + flush", get, into, from, bytes, FROM_ZERO);
        measure_one_sided("MPI_Accumulate + flush", accumulate, into, from, bytes, FROM_ZERO);
        measure_one_sided("MPI_Accumulate of doubles + flush", accumulate_doubles, into, from, bytes, FROM_TWO);
        if (bytes == sizeof *from)
            measure_one_sided("MPI_Fetch_and_op + flush", fetch_add, into, from, bytes, FROM_ZERO);
    }
    bench_barrier();
}

int main(int argc, char **argv)
{
    long *into, *from;
    struct bench_run run;
    start(argc, argv, &into, &from);
    for (bench_begin(&run, "MPI_Barrier", 0); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            bench_barrier();
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
        measure_size(into, from, bytes);
    end(into, from);
}
