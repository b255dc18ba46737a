/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What net/stream.c measures, by messages, under the same names: WINDOW of MPI_Isend and MPI_Irecv, and an answer when
 * all are there. A put's time is the sender's, a get's the receiver's, which asks for them; the first rank takes it.
 */
#include "../mpi_bench.h"

#define MOST   ((size_t)4 << 20)
#define WINDOW 16 /* as in net/stream.c */

enum { SEND, RECEIVE };

static void transfer(int way, char *memory, size_t bytes, int other)
{
    MPI_Request requests[WINDOW];
    for (int n = 0; n < WINDOW; n++)
        if (way == SEND)
            MPI_Isend(memory, (int)bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[n]);
        else
            MPI_Irecv(memory, (int)bytes, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[n]);
    MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
}

static void tell(int from)
{
    if (bench_me == from)
        MPI_Send(NULL, 0, MPI_BYTE, 1 - from, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(NULL, 0, MPI_BYTE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 1 answers what it got, or begins when it is asked. */
static void measure(const char *what, int mine, char *memory, size_t bytes)
{
    struct bench_run run;
    for (bench_begin(&run, what, bytes), run.parts = WINDOW; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            if (mine == RECEIVE)
                tell(0);
            transfer(bench_me == 0 ? mine : SEND + RECEIVE - mine, memory, bytes, 1 - bench_me);
            if (mine == SEND)
                tell(1);
        }
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    if (bench_pes != 2) {
        fprintf(stderr, "bench: stream runs on 2 processes, not on %d\n", bench_pes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    char *memory = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        measure("put, streamed", SEND, memory, bytes);
        measure("get, streamed", RECEIVE, memory, bytes);
    }
    free(memory);
    bench_end();
}
