/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What rate.c measures, by MPI_Irecv, MPI_Isend and MPI_Waitall, under the same name.
 */
#include "mpi_bench.h"
#include "../neighbours.h"

static char *source, *there;

static void exchange(size_t bytes)
{
    static MPI_Request requests[2 * NEIGHBOURS * MESSAGES];
    int count = 0;
    for (int message = 0; message < MESSAGES; message++)
        for (int number = 0; number < NEIGHBOURS; number++) {
            char *at = there + (size_t)(number * MESSAGES + message) * bytes;
            MPI_Irecv(at, (int)bytes, MPI_BYTE, neighbour(number), MPI_ANY_TAG, MPI_COMM_WORLD, &requests[count++]);
        }
    for (int message = 0; message < MESSAGES; message++)
        for (int number = 0; number < NEIGHBOURS; number++) {
            char *at = source + (size_t)(number * MESSAGES + message) * bytes;
            MPI_Isend(at, (int)bytes, MPI_BYTE, neighbour(number), message, MPI_COMM_WORLD, &requests[count++]);
        }
    MPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    const size_t all = NEIGHBOURS * MESSAGES * RATE_MOST;
    char *swept = bench_memory(SWEPT);
    source = bench_memory(all);
    there = bench_memory(all);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, RATE_MOST)) != 0 && bench_pes > 1;)
        rate_measure(exchange, swept, bytes);
    free(swept);
    free(source);
    free(there);
    bench_end();
}
