/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What latency.c measures, by MPI_Send and MPI_Recv, under the same names.
 */
#include "mpi_bench.h"
#include "../trips.h"

#define MOST ((size_t)1 << 20)

struct game {
    char *mine, *there;
    size_t bytes;
    char turn;
};

static void trip(void *state)
{
    struct game *game = state;
    const int bytes = (int)game->bytes;
    game->mine[0] = game->mine[game->bytes - 1] = game->turn++;
    if (bench_me == 0) {
        MPI_Send(game->mine, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(game->there, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (bench_me == 1) {
        MPI_Recv(game->there, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(game->mine, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

static void measure(struct game *game)
{
    long count = trips_of(game->bytes);
    bench_barrier();
    trips_take(trip, game, count);
    trips_report(count, game->bytes);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv);
    struct game game = {.mine = bench_memory(MOST), .there = bench_memory(MOST)};
    while (bench_pes >= 2 && (game.bytes = bench_next_size(game.bytes, MOST)) != 0)
        measure(&game);
    free(game.mine);
    free(game.there);
    bench_end();
}
