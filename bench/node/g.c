/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One 8-byte element fetched from another PE: shmem_long_g from the heap and from a static
 * variable.
 */
#include "../bench.h"

static long variable;

static void measure(const long *source, int pe, const char *what)
{
    struct bench_run run;
    for (bench_begin_alone(&run, what, 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(shmem_long_g(source, pe));
}

int main(void)
{
    bench_start();
    long *heap = bench_memory(4096);
    if (bench_me == 0) {
        measure(heap, bench_partner(), "g");
        measure(&variable, bench_partner(), "g static");
    }
    bench_end();
}
