/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A cache line between two processes on two CPUs: half of a round trip. As between PEs, each
 * process watches a word of its own, which the other writes; and, for comparison, both on one
 * word, which spares a transfer and which no put can do.
 */
#include "limit.h"

static void play_two(struct bench_run *run, long *turn)
{
    for (long i = 0; i < run->count; i++) {
        ++*turn;
        if (bench_me == 0)
            limit_store(shared->flags[1], *turn);
        limit_await(shared->flags[bench_me], *turn);
        if (bench_me == 1)
            limit_store(shared->flags[0], *turn);
    }
}

static void play_one(struct bench_run *run, long *turn)
{
    for (long i = 0; i < run->count; i++) {
        *turn += 2;
        if (bench_me == 0) {
            limit_store(&shared->ball, *turn - 1);
            limit_await(&shared->ball, *turn);
        } else {
            limit_await(&shared->ball, *turn - 1);
            limit_store(&shared->ball, *turn);
        }
    }
}

int main(void)
{
    limit_start_pair(0);
    struct bench_run run;
    long turn = 0;
    for (bench_begin(&run, "cache-line ping-pong", 8), run.parts = 2; bench_batch(&run);)
        play_two(&run, &turn);
    turn = 0;
    for (bench_begin(&run, "cache-line ping-pong, one line", 8), run.parts = 2; bench_batch(&run);)
        play_one(&run, &turn);
    return limit_end();
}
