/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 64 elements of 8 bytes, every second one on both sides: shmem_long_iput and shmem_long_iget.
 */
#include "../bench.h"

#define ELEMENTS 64
#define STRIDE   2

int main(void)
{
    bench_start();
    long *target = bench_memory(ELEMENTS * STRIDE * sizeof *target);
    long *source = bench_memory(ELEMENTS * STRIDE * sizeof *source);
    if (bench_me == 0) {
        int pe = bench_partner();
        struct bench_run run;
        for (bench_begin_alone(&run, "iput", ELEMENTS * 8); bench_batch(&run);)
            for (long i = 0; i < run.count; i++)
                shmem_long_iput(target, source, STRIDE, STRIDE, ELEMENTS, pe);
        shmem_quiet();
        for (bench_begin_alone(&run, "iget", ELEMENTS * 8); bench_batch(&run);)
            for (long i = 0; i < run.count; i++)
                shmem_long_iget(target, source, STRIDE, STRIDE, ELEMENTS, pe);
    }
    bench_end();
}
