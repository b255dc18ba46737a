/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A collective and a barrier after it, by size: through the team where the library has teams, and through the active set of
 * OpenSHMEM 1.4. Who includes this has defined
 *
 *   NAME                           as the rows begin
 *   SYNC_WORDS                     how many the active set needs
 *   TARGET_BLOCKS, SOURCE_BLOCKS   how many blocks of the size each PE has there
 *   BY_TEAM, BY_ACTIVE_SET         the call, on target, source and elements
 *
 * BENCH_ONE_FORM=1 leaves the active set out where there are teams.
 */
#include "../../bench.h"

#define MOST ((size_t)4 << 20)

static long sync_words[SYNC_WORDS];

#define MEASURE(function, CALL)                                                                       \
    static void function(long *target, long *source, size_t elements, const char *what)               \
    {                                                                                                 \
        struct bench_run run;                                                                         \
        for (bench_begin(&run, what, elements * 8); bench_batch(&run);)                               \
            for (long i = 0; i < run.count; i++) {                                                    \
                CALL;                                                                                 \
                shmem_barrier_all();                                                                  \
            }                                                                                         \
    }

MEASURE(with_active_set, BY_ACTIVE_SET)
#if BENCH_HAS(1, 5)
MEASURE(with_team, BY_TEAM)
#endif

int main(void)
{
    bench_start();
    for (size_t i = 0; i < sizeof sync_words / sizeof *sync_words; i++)
        sync_words[i] = SHMEM_SYNC_VALUE;
    long *target = bench_memory(MOST * (size_t)(TARGET_BLOCKS)), *source = bench_memory(MOST * (size_t)(SOURCE_BLOCKS));
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
#if BENCH_HAS(1, 5)
        with_team(target, source, bytes / 8, NAME);
        if (!bench_setting("BENCH_ONE_FORM", 0))
            with_active_set(target, source, bytes / 8, NAME ", active set");
#else
        with_active_set(target, source, bytes / 8, NAME);
#endif
    }
    bench_end();
}
