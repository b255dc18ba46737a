/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What sums.c measures, by MPI_Allreduce, under the same names: the sum of ints and of floats over all ranks, and a
 * barrier.
 */
#include "mpi_bench.h"

#define MOST ((size_t)4 << 20)

static void measure(const char *what, MPI_Datatype type, char *all, const char *mine, size_t bytes)
{
    struct bench_run run;
    for (bench_begin(&run, what, bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            MPI_Allreduce(mine, all, (int)(bytes / 4), type, MPI_SUM, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    char *all = bench_memory(MOST), *mine = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        measure("sum of ints", MPI_INT, all, mine, bytes);
        measure("sum of floats", MPI_FLOAT, all, mine, bytes);
    }
    free(mine);
    free(all);
    bench_end();
}
