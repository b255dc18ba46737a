/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every second word on both sides, 64 and 4096 of them: shmem_long_iput with a quiet after it and
 * shmem_long_iget. And every second block of 64 words (OpenSHMEM 1.6): shmem_long_ibput, _ibget.
 */
#include "../bench.h"

#define MOST   ((size_t)4096)
#define STRIDE 2
#define BLOCK  ((size_t)64)

static void words(long *target, const long *source, size_t count, int pe)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "iput + quiet", count * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_long_iput(target, source, STRIDE, STRIDE, count, pe);
            shmem_quiet();
        }
    for (bench_begin_alone(&run, "iget", count * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_long_iget(target, source, STRIDE, STRIDE, count, pe);
}

#if BENCH_HAS(1, 6)
static void blocks(long *target, const long *source, int pe)
{
    ptrdiff_t step = STRIDE * (ptrdiff_t)BLOCK;
    struct bench_run run;
    for (bench_begin_alone(&run, "ibput + quiet", MOST * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_long_ibput(target, source, step, step, BLOCK, MOST / BLOCK, pe);
            shmem_quiet();
        }
    for (bench_begin_alone(&run, "ibget", MOST * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_long_ibget(target, source, step, step, BLOCK, MOST / BLOCK, pe);
}
#endif

int main(void)
{
    bench_start();
    long *target = bench_memory(MOST * STRIDE * sizeof *target);
    long *source = bench_memory(MOST * STRIDE * sizeof *source);
    if (bench_me == 0) {
        words(target, source, 64, bench_partner());
        words(target, source, MOST, bench_partner());
#if BENCH_HAS(1, 6)
        blocks(target, source, bench_partner());
#endif
    }
    bench_end();
}
