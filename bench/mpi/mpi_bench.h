/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the MPI programs share: start and end, and agreement among processes, as bench.h has them for PEs.
 */
#ifndef BENCH_MPI_H
#define BENCH_MPI_H

#include "../timing.h"

#include <mpi.h>

static inline void bench_barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline long bench_agree(long value)
{
    MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return value;
}

static inline double bench_mean(double value)
{
    double sum = 0;
    MPI_Reduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sum / bench_pes;
}

static inline void bench_start(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &bench_me);
    MPI_Comm_size(MPI_COMM_WORLD, &bench_pes);
    bench_pin(bench_me);
    bench_barrier();
}

static inline void bench_end(void)
{
    fflush(stdout);
    bench_barrier();
    MPI_Finalize();
}

/* Every byte written once, not with zeros: see bench_memory() of bench.h. */
static inline char *bench_memory(size_t bytes)
{
    char *memory = malloc(bytes);
    if (!memory) {
        fprintf(stderr, "bench: process %d: no memory for %zu bytes\n", bench_me, bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    memset(memory, 1, bytes);
    return memory;
}

/* A type of that many bytes, with as many between one and the next. */
static inline MPI_Datatype bench_runs(int bytes)
{
    MPI_Datatype run, spaced;
    MPI_Type_contiguous(bytes, MPI_BYTE, &run);
    MPI_Type_create_resized(run, 0, 2 * (MPI_Aint)bytes, &spaced);
    MPI_Type_free(&run);
    MPI_Type_commit(&spaced);
    return spaced;
}

#endif
