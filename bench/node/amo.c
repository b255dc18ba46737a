/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations of one PE on a word of another: fetch-add, add (alone, and with a quiet after
 * each), swap, compare-and-swap. Nobody else touches the word.
 */
#include "../bench.h"

static void measure_adds(long *target, int pe)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "fetch-add", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(shmem_long_atomic_fetch_add(target, i, pe));
    for (bench_begin_alone(&run, "add", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_long_atomic_add(target, i, pe);
    shmem_quiet();
    for (bench_begin_alone(&run, "add + quiet", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_long_atomic_add(target, i, pe);
            shmem_quiet();
        }
}

static void measure_swaps(long *target, int pe)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "swap", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(shmem_long_atomic_swap(target, i, pe));
    long last = shmem_long_atomic_fetch(target, pe);
    for (bench_begin_alone(&run, "cswap", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++, last++)
            BENCH_KEEP(shmem_long_atomic_compare_swap(target, last, last + 1, pe));
}

int main(void)
{
    bench_start();
    long *target = bench_memory(4096);
    if (bench_me == 0) {
        measure_adds(target, bench_partner());
        measure_swaps(target, bench_partner());
    }
    bench_end();
}
