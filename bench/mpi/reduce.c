/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What reduce.c measures, by MPI_Allreduce, under the same name: the sum of longs over all ranks, and a barrier.
 */
#include "mpi_bench.h"

#define MOST ((size_t)4 << 20)

static void measure(char *all, const char *mine, int longs)
{
    struct bench_run run;
    for (bench_begin(&run, "sum", (size_t)longs * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            MPI_Allreduce(mine, all, longs, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    char *all = bench_memory(MOST), *mine = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
        measure(all, mine, (int)(bytes / 8));
    free(mine);
    free(all);
    bench_end();
}
