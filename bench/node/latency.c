/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ping-pong between PE 0 and PE 1, every trip timed: a put whose last word the other PE waits for. The message differs
 * from one trip to the next.
 */
#include "../bench.h"
#include "../trips.h"

#define MOST ((size_t)1 << 20)

struct game {
    long *there, *source; /* there: symmetric, where the message arrives */
    size_t words;
    long turn;
};

/* The data, and behind it the word that says it is there: one put where it is one word. */
static void send(const struct game *game, int pe)
{
    size_t last = game->words - 1;
    game->source[0] = game->source[last] = game->turn;
    if (last > 0) {
        shmem_long_put(game->there, game->source, last, pe);
        shmem_fence();
    }
    shmem_long_put(game->there + last, game->source + last, 1, pe);
}

static void wait(const struct game *game)
{
    shmem_long_wait_until(game->there + game->words - 1, SHMEM_CMP_EQ, game->turn);
}

static void trip(void *state)
{
    struct game *game = state;
    game->turn++;
    if (bench_me == 0) {
        send(game, 1);
        wait(game);
    } else if (bench_me == 1) {
        wait(game);
        send(game, 0);
    }
}

static void measure(struct game *game, size_t bytes)
{
    long count = trips_of(bytes);
    game->words = bytes / sizeof(long);
    shmem_barrier_all();
    trips_take(trip, game, count);
    trips_report(count, bytes);
    shmem_barrier_all();
}

int main(void)
{
    bench_start();
    if (bench_pes >= 2) {
        struct game game = {.there = bench_memory(MOST), .source = malloc(MOST)};
        if (!game.source)
            shmem_global_exit(1);
        memset(game.source, 1, MOST); /* pages of its own: those never written are one page of zeros, which stays in the cache */
        for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
            measure(&game, bytes);
        free(game.source);
    }
    bench_end();
}
