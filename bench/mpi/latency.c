/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What latency.c measures, by MPI_Send and MPI_Recv, under the same names.
 */
#include "mpi_bench.h"
#include "../trips.h"

#define MOST ((size_t)1 << 20)

static void trip(char *mine, char *there, size_t bytes)
{
    if (bench_me == 0) {
        MPI_Send(mine, (int)bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(there, (int)bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (bench_me == 1) {
        MPI_Recv(there, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(mine, (int)bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

static void measure(char *mine, char *there, size_t bytes)
{
    long count = trips_of(bytes);
    bench_barrier();
    double last = bench_now_ns();
    for (long i = -TRIPS_FIRST; i < count; i++) {
        mine[0] = mine[bytes - 1] = (char)i;
        trip(mine, there, bytes);
        double now = bench_now_ns();
        if (i >= 0)
            trips[i] = now - last;
        last = now;
    }
    trips_report(count, bytes);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    char *mine = bench_memory(MOST), *there = bench_memory(MOST);
    for (size_t bytes = 0; bench_pes >= 2 && (bytes = bench_next_size(bytes, MOST)) != 0;)
        measure(mine, there, bytes);
    free(mine);
    free(there);
    bench_end();
}
