/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What node/growth.c measures, by messages, under the same names. A put is the first process's MPI_Isend, and
 * has ended when the second one answers that it has all; a get is its MPI_Irecv, which it asks the second one
 * to send for. Strided by a vector type at either end.
 */
#include "../mpi_bench.h"

#include "../../growth.h"

enum { DATA, WORD };

static MPI_Datatype runs;
static MPI_Request request;
static char *memory;

static void send_word(int to)
{
    MPI_Send(NULL, 0, MPI_BYTE, to, WORD, MPI_COMM_WORLD);
}

static void receive_word(int from)
{
    MPI_Recv(NULL, 0, MPI_BYTE, from, WORD, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void start_send(size_t bytes)
{
    MPI_Isend(memory, (int)bytes, MPI_BYTE, 1 - bench_me, DATA, MPI_COMM_WORLD, &request);
}

static void start_receive(size_t bytes)
{
    MPI_Irecv(memory, (int)bytes, MPI_BYTE, 1 - bench_me, DATA, MPI_COMM_WORLD, &request);
}

static void start_send_strided(size_t bytes)
{
    MPI_Isend(memory, growth_runs(bytes), runs, 1 - bench_me, DATA, MPI_COMM_WORLD, &request);
}

static void start_receive_strided(size_t bytes)
{
    MPI_Irecv(memory, growth_runs(bytes), runs, 1 - bench_me, DATA, MPI_COMM_WORLD, &request);
}

static void end_transfer(size_t bytes)
{
    (void)bytes;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void end_put(size_t bytes)
{
    end_transfer(bytes);
    receive_word(1);
}

static void answer_put(size_t bytes)
{
    end_transfer(bytes);
    send_word(0);
}

static void begin_get(size_t bytes)
{
    start_receive(bytes);
    send_word(1);
}

static void begin_get_strided(size_t bytes)
{
    start_receive_strided(bytes);
    send_word(1);
}

/* Nothing is known of a get before its word has come. */
static void nothing(size_t bytes)
{
    (void)bytes;
}

static void answer_get(size_t bytes)
{
    receive_word(0);
    start_send(bytes);
    end_transfer(bytes);
}

static void answer_get_strided(size_t bytes)
{
    receive_word(0);
    start_send_strided(bytes);
    end_transfer(bytes);
}

static const struct growth_transfer transfers[] = {
    {"put", start_send, end_put, start_receive, answer_put, 1},
    {"get", begin_get, end_transfer, nothing, answer_get, 1},
    {"put, strided", start_send_strided, end_put, start_receive_strided, answer_put, 1},
    {"get, strided", begin_get_strided, end_transfer, nothing, answer_get_strided, 1},
};

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    memory = bench_memory(2 * GROWTH_MOST);
    runs = bench_runs(GROWTH_RUN);
    growth_run(transfers, sizeof transfers / sizeof *transfers);
    MPI_Type_free(&runs);
    free(memory);
    bench_end();
}
