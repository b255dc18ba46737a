/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs at once: fetch-add on one word, and how evenly the PEs get their turns.
 */
#include "../bench.h"

int main(void)
{
    bench_start();
    long *word = bench_memory(4096);
    struct bench_contest contest;
    for (bench_contest_begin(&contest); bench_contest_goes_on(&contest);)
        BENCH_KEEP(shmem_long_atomic_fetch_add(word, 1, 0));
    bench_contest_end(&contest, "contended fetch-add", 8);
    bench_end();
}
