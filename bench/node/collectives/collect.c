/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of all PEs, which may differ in length, put together on all, and a barrier after it, by
 * size: what each PE gives. Through the
 * team where the library has teams, and through the active set of OpenSHMEM 1.4.
 */
#include "../../bench.h"

#define MOST ((size_t)4 << 20)

static long sync_words[SHMEM_COLLECT_SYNC_SIZE];

static void with_sync_words(long *target, long *source, size_t elements, const char *what)
{
    struct bench_run run;
    for (bench_begin(&run, what, elements * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_collect64(target, source, elements, 0, 0, bench_pes, sync_words);
            shmem_barrier_all();
        }
}

#if BENCH_HAS(1, 5)
static void with_team(long *target, long *source, size_t elements, const char *what)
{
    struct bench_run run;
    for (bench_begin(&run, what, elements * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_long_collect(SHMEM_TEAM_WORLD, target, source, elements);
            shmem_barrier_all();
        }
}
#endif

int main(void)
{
    bench_start();
    for (size_t i = 0; i < sizeof sync_words / sizeof *sync_words; i++)
        sync_words[i] = SHMEM_SYNC_VALUE;
    long *target = bench_memory(MOST * (size_t)bench_pes), *source = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
#if BENCH_HAS(1, 5)
        with_team(target, source, bytes / 8, "collect");
        with_sync_words(target, source, bytes / 8, "collect, active set");
#else
        with_sync_words(target, source, bytes / 8, "collect");
#endif
    }
    bench_end();
}
