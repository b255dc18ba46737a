/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The running sum of longs over the PEs, own element included, and a barrier after it, by size.
 * OpenSHMEM 1.6.
 */
#include "../../bench.h"

#define MOST ((size_t)4 << 20)

int main(void)
{
    bench_start();
#if BENCH_HAS(1, 6)
    long *target = bench_memory(MOST), *source = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        struct bench_run run;
        for (bench_begin(&run, "scan", bytes); bench_batch(&run);)
            for (long i = 0; i < run.count; i++) {
                shmem_long_sum_inscan(SHMEM_TEAM_WORLD, target, source, bytes / 8);
                shmem_barrier_all();
            }
    }
#endif
    bench_end();
}
