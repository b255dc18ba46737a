/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two flags exchanged: each of two processes raises its own and waits for the other's. A barrier of
 * two cannot do less. The least batch counts, as in pingpong.c.
 */
#include "limit.h"

int main(void)
{
    limit_start_pair(0);
    struct bench_run run;
    long turn = 0;
    for (bench_begin(&run, "two flags", 0), run.least = 1; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            limit_store(shared->flags[bench_me], ++turn);
            while (limit_load(shared->flags[1 - bench_me]) < turn)
                limit_pause();
        }
    return limit_end();
}
