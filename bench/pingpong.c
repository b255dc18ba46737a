/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ping-pong: PE 0 puts a word, PE 1 waits for it and puts one back. Half of a round trip is
 * reported: from a put to its being seen.
 */
#include "bench.h"

static void play(struct bench_run *run, long *ball, long *source, long *turn)
{
    for (long i = 0; i < run->count; i++) {
        *source = ++*turn;
        if (bench_me == 0) {
            shmem_long_put(ball, source, 1, 1);
            shmem_long_wait_until(ball, SHMEM_CMP_GE, *turn);
        } else if (bench_me == 1) {
            shmem_long_wait_until(ball, SHMEM_CMP_GE, *turn);
            shmem_long_put(ball, source, 1, 0);
        }
    }
}

int main(void)
{
    bench_start();
    if (bench_pes >= 2) {
        long *ball = bench_memory(4096), source = 0, turn = 0;
        struct bench_run run;
        *ball = 0;
        for (bench_begin(&run, "ping-pong", 8), run.parts = 2; bench_batch(&run);)
            play(&run, ball, &source, &turn);
    }
    bench_end();
}
