/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sum over all PEs of ints and of floats, and a barrier after it, by size: reduce.c has that of longs. Through
 * the team where the library has teams, else through the active set of OpenSHMEM 1.4.
 */
#include "../../bench.h"

#define MOST ((size_t)4 << 20)

static long sync_words[SHMEM_REDUCE_SYNC_SIZE];

#if BENCH_HAS(1, 5)
#define SUM(type, target, source, count) shmem_##type##_sum_reduce(SHMEM_TEAM_WORLD, target, source, count)
#else
static long work[MOST / 8 / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
#define SUM(type, target, source, count)                                                                \
    shmem_##type##_sum_to_all(target, source, (int)(count), 0, 0, bench_pes, (type *)work, sync_words)
#endif

#define MEASURE(type)                                                                                   \
    static void measure_##type(type *target, type *source, size_t bytes)                                \
    {                                                                                                   \
        struct bench_run run;                                                                           \
        for (bench_begin(&run, "sum of " #type "s", bytes); bench_batch(&run);)                         \
            for (long i = 0; i < run.count; i++) {                                                      \
                SUM(type, target, source, bytes / sizeof(type));                                        \
                shmem_barrier_all();                                                                    \
            }                                                                                           \
    }
MEASURE(int)
MEASURE(float)

int main(void)
{
    bench_start();
    for (size_t i = 0; i < sizeof sync_words / sizeof *sync_words; i++)
        sync_words[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    void *target = bench_memory(MOST), *source = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        measure_int(target, source, bytes);
        measure_float(target, source, bytes);
    }
    bench_end();
}
