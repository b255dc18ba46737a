/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What broadcast.c measures, by MPI_Bcast, under the same name: longs from rank 0 to all, and a barrier.
 */
#include "mpi_bench.h"

#define MOST ((size_t)4 << 20)

static void measure(char *data, int longs)
{
    struct bench_run run;
    for (bench_begin(&run, "broadcast", (size_t)longs * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            MPI_Bcast(data, longs, MPI_LONG, 0, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    char *data = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
        measure(data, (int)(bytes / 8));
    free(data);
    bench_end();
}
