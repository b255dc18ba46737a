/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What fcollect.c measures, by MPI_Allgather, under the same name: equal blocks of all ranks put
 * together on all, and a barrier.
 */
#include "mpi_bench.h"

#define MOST ((size_t)4 << 20)

static void measure(char *all, const char *mine, int longs)
{
    struct bench_run run;
    for (bench_begin(&run, "fcollect", (size_t)longs * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            MPI_Allgather(mine, longs, MPI_LONG, all, longs, MPI_LONG, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    char *all = bench_memory(MOST * (size_t)bench_pes), *mine = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
        measure(all, mine, (int)(bytes / 8));
    free(mine);
    free(all);
    bench_end();
}
