/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What barrier.c measures, by MPI_Barrier, under the same name.
 */
#include "mpi_bench.h"

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    struct bench_run run;
    for (bench_begin(&run, "barrier_all", 0); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            MPI_Barrier(MPI_COMM_WORLD);
    bench_end();
}
