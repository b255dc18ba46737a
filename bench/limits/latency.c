/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What latency.c measures, by two processes without a library: memcpy into shared memory, then a store that the other
 * process waits for in a plain loop. How long the worst trip takes is the machine's doing alone.
 */
#include "limit.h"
#include "../trips.h"

#define MOST ((size_t)1 << 20)

struct game {
    long *there, *here, *source;
    size_t words;
    long turn;
};

static void send(const struct game *game)
{
    size_t last = game->words - 1;
    game->source[0] = game->source[last] = game->turn;
    memcpy(game->there, game->source, last * sizeof(long));
    limit_store(game->there + last, game->turn);
}

/* The CPU is yielded after some 50 us: two processes that have only one get along. */
static void wait_for(const struct game *game)
{
    for (long looks = 1; limit_load(game->here + game->words - 1) != game->turn; looks++)
        if (looks % 65536 == 0)
            sched_yield();
}

static void trip(void *state)
{
    struct game *game = state;
    game->turn++;
    if (bench_me == 0) {
        send(game);
        wait_for(game);
    } else {
        wait_for(game);
        send(game);
    }
}

static void measure(struct game *game, size_t bytes)
{
    long count = trips_of(bytes);
    game->words = bytes / sizeof(long);
    bench_barrier();
    trips_take(trip, game, count);
    trips_report(count, bytes);
    bench_barrier();
}

int main(void)
{
    long *memory[] = {limit_memory(MOST), limit_memory(MOST)};
    memset(memory[0], 1, MOST);
    memset(memory[1], 1, MOST);
    limit_start_pair(0);
    struct game game = {.there = memory[!bench_me], .here = memory[bench_me], .source = malloc(MOST)};
    if (!game.source)
        return 1;
    memset(game.source, 1, MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
        measure(&game, bytes);
    free(game.source);
    return limit_end();
}
