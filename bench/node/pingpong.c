/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ping-pong: PE 0 puts a word, PE 1 waits for it and puts one back; the same with data before it, and a
 * fence between. Half of a round trip is reported: from a put to its being seen.
 */
#include "../bench.h"

struct game {
    long *ball, *data; /* data: NULL for the ball alone */
    long source, turn;
};

static void put(struct game *game, int pe)
{
    game->source = game->turn;
    if (game->data) {
        shmem_long_put(game->data, &game->source, 1, pe);
        shmem_fence();
    }
    shmem_long_put(game->ball, &game->source, 1, pe);
}

static void play(struct bench_run *run, struct game *game)
{
    for (long i = 0; i < run->count; i++) {
        ++game->turn;
        if (bench_me == 0) {
            put(game, 1);
            shmem_long_wait_until(game->ball, SHMEM_CMP_GE, game->turn);
        } else if (bench_me == 1) {
            shmem_long_wait_until(game->ball, SHMEM_CMP_GE, game->turn);
            put(game, 0);
        }
    }
}

static void measure(const char *what, struct game *game)
{
    struct bench_run run;
    for (bench_begin(&run, what, 8), run.parts = 2; bench_batch(&run);)
        play(&run, game);
}

int main(void)
{
    bench_start();
    if (bench_pes >= 2) {
        struct game game = {.ball = bench_memory(4096)};
        long *data = bench_memory(4096);
        *game.ball = 0;
        measure("ping-pong", &game);
        game.data = data;
        measure("put + fence + flag", &game);
    }
    bench_end();
}
