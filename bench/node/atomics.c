/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every atomic operation of PE 0 on a word of the last PE, 64 and 32 bits; those without a result with
 * a quiet. Who carries them out is the environment's matter: bench/atomics.py runs this with each.
 * Each operation changes the word, but for fetch and for cswap, which fails: and what is built from
 * compare-and-swap ends earlier where there is nothing to change. So fetch-and and fetch-or take turns.
 */
#include "../bench.h"

/* One measurement of `call`, in which i counts. */
#define MEASURE(what, bytes, call)                                                                 \
    do {                                                                                           \
        struct bench_run run;                                                                      \
        for (bench_begin_alone(&run, what, bytes); bench_batch(&run);)                             \
            for (long i = 0; i < run.count; i++)                                                   \
                call;                                                                              \
    } while (0)
#define MEASURE_POST(what, bytes, call) MEASURE(what " + quiet", bytes, (call, shmem_quiet()))
#define MEASURE_FETCH(what, bytes, call) MEASURE(what, bytes, BENCH_KEEP(call))

#define MEASURE_ALL(NAME, TYPE)                                                                    \
    static void measure_##NAME(TYPE *word, int pe)                                                 \
    {                                                                                              \
        const size_t bytes = sizeof(TYPE);                                                         \
        MEASURE_FETCH("fetch", bytes, shmem_##NAME##_atomic_fetch(word, pe));                      \
        MEASURE_POST("set", bytes, shmem_##NAME##_atomic_set(word, (TYPE)i, pe));                  \
        MEASURE_POST("add", bytes, shmem_##NAME##_atomic_add(word, (TYPE)i, pe));                  \
        MEASURE_FETCH("fetch-add", bytes, shmem_##NAME##_atomic_fetch_add(word, (TYPE)i, pe));     \
        MEASURE_FETCH("fetch-and, fetch-or", bytes,                                                \
                      i % 2 ? shmem_##NAME##_atomic_fetch_and(word, 0, pe)                         \
                            : shmem_##NAME##_atomic_fetch_or(word, (TYPE)-1, pe));                 \
        MEASURE_FETCH("fetch-xor", bytes, shmem_##NAME##_atomic_fetch_xor(word, (TYPE)~i, pe));    \
        MEASURE_FETCH("swap", bytes, shmem_##NAME##_atomic_swap(word, (TYPE)i, pe));               \
        TYPE last = shmem_##NAME##_atomic_fetch(word, pe);                                         \
        MEASURE_FETCH("cswap", bytes, shmem_##NAME##_atomic_compare_swap(word, last, last + 1, pe)); \
    }
MEASURE_ALL(uint64, uint64_t)
MEASURE_ALL(uint32, uint32_t)

int main(void)
{
    bench_start();
    uint64_t *words = bench_memory(4096);
    if (bench_me == 0) {
        measure_uint64(words, bench_pes - 1);
        measure_uint32((uint32_t *)(words + 8), bench_pes - 1);
    }
    bench_end();
}
