/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A cache line between two processes on two CPUs: half of a round trip.
 */
#include "limit.h"

int main(void)
{
    limit_start_pair(0);
    struct bench_run run;
    long turn = 0;
    for (bench_begin(&run, "cache-line ping-pong", 8), run.parts = 2; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            turn += 2;
            if (bench_me == 0) {
                limit_store(&shared->ball, turn - 1);
                limit_await(&shared->ball, turn);
            } else {
                limit_await(&shared->ball, turn - 1);
                limit_store(&shared->ball, turn);
            }
        }
    return limit_end_pair();
}
