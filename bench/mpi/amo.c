/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What amo.c measures, by MPI-3's atomic operations on a word of a window and a flush of each, under the same names; but
 * for compare-and-swap, in which Open MPI 4.1.4 crashes here.
 */
#include "mpi_bench.h"

static MPI_Win window;

static void fetch_and(MPI_Op op, const char *what, int pe)
{
    struct bench_run run;
    long found;
    for (bench_begin_alone(&run, what, 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            MPI_Fetch_and_op(&i, &found, MPI_LONG, pe, 0, op, window);
            MPI_Win_flush(pe, window);
        }
}

static void add(int pe)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "add + quiet", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            MPI_Accumulate(&i, 1, MPI_LONG, pe, 0, 1, MPI_LONG, MPI_SUM, window);
            MPI_Win_flush(pe, window);
        }
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    const int partner = (bench_me + 1) % bench_pes;
    long *word;
    MPI_Win_allocate(4096, sizeof *word, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &window);
    *word = 1;
    bench_barrier();
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    if (bench_me == 0) {
        fetch_and(MPI_SUM, "fetch-add", partner);
        add(partner);
        fetch_and(MPI_REPLACE, "swap", partner);
    }
    bench_barrier();
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    bench_end();
}
