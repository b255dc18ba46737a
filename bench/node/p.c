/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One 8-byte element stored at another PE: shmem_long_p to the heap and to a static variable, and
 * with a quiet after each.
 */
#include "../bench.h"

static long variable;

static void measure(long *target, int pe, const char *plain, const char *with_quiet)
{
    struct bench_run run;
    for (bench_begin_alone(&run, plain, 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_long_p(target, i, pe);
    shmem_quiet();
    for (bench_begin_alone(&run, with_quiet, 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_long_p(target, i, pe);
            shmem_quiet();
        }
}

int main(void)
{
    bench_start();
    long *heap = bench_memory(4096);
    if (bench_me == 0) {
        measure(heap, bench_partner(), "p", "p + quiet");
        measure(&variable, bench_partner(), "p static", "p static + quiet");
    }
    bench_end();
}
