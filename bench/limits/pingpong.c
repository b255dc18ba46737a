/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A cache line between two processes on two CPUs: half of a round trip. As between PEs, each
 * process watches a word of its own, which the other writes; and, for comparison, both on one
 * word, which spares a transfer and which no put can do. And two words with data beside each, in its cache line, which
 * the receiver reads: what a put with signal has to do (node/signal.c). The least batch counts: two processes that
 * look and pause fall into one of two rhythms, of 32 and 50 ns a line (EPYC, Zen 4).
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

static void play_data(struct bench_run *run, long *turn, size_t bytes)
{
    static char source[LINE];
    for (long i = 0; i < run->count; i++) {
        ++*turn;
        if (bench_me == 1)
            limit_await(shared->flags[1], *turn);
        memcpy(shared->flags[1 - bench_me] + 1, source, bytes);
        limit_store(shared->flags[1 - bench_me], *turn);
        if (bench_me == 0)
            limit_await(shared->flags[0], *turn);
        long sum = 0;
        for (size_t word = 1; word <= bytes / sizeof sum; word++)
            sum += shared->flags[bench_me][word];
        BENCH_KEEP(sum);
    }
}

int main(void)
{
    limit_start_pair(0);
    struct bench_run run;
    long turn = 0;
    for (bench_begin(&run, "cache-line ping-pong", 8), run.parts = 2, run.least = 1; bench_batch(&run);)
        play_two(&run, &turn);
    turn = 0;
    for (bench_begin(&run, "cache-line ping-pong, one line", 8), run.parts = 2, run.least = 1; bench_batch(&run);)
        play_one(&run, &turn);
    bench_barrier();
    shared->flags[0][0] = shared->flags[1][0] = 0;
    bench_barrier();
    turn = 0;
    for (size_t bytes = 8; bytes <= 48; bytes += 40)
        for (bench_begin(&run, "cache-line ping-pong with data", bytes), run.parts = 2, run.least = 1; bench_batch(&run);)
            play_data(&run, &turn, bytes);
    return limit_end();
}
