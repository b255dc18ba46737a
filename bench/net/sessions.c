/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Many small operations on random words of random PEs, by all PEs at once, then a barrier: histogram
 * (increments), index-gather (gets of a word) and scatter (puts of a word). One by one, and where the
 * library has sessions in a batch; the time of one of them, as each PE sees it, and how many times
 * faster the batch is. BENCH_WORDS is the table's size on each PE.
 */
#include "../bench.h"

#include <stdint.h>

#define ONE_BY_ONE 1024  /* operations of a round; more only take longer */
#define BATCHED    65536

static long *table, *values;
static long words;
static uint64_t state;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static void increment(long *word, int pe, long i)
{
    (void)i;
    shmem_long_atomic_inc(word, pe);
}

static void get(long *word, int pe, long i)
{
    shmem_long_get_nbi(&values[i], word, 1, pe);
}

static void put(long *word, int pe, long i)
{
    shmem_long_p(word, i, pe);
}

static inline void issue(void (*operation)(long *, int, long), long count)
{
    for (long i = 0; i < count; i++) {
        uint64_t number = next_random();
        operation(&table[(number >> 32) % (uint64_t)words], (int)((uint32_t)number % (uint32_t)bench_pes), i);
    }
}

static double measure(const char *what, void (*operation)(long *, int, long), long count)
{
    struct bench_run run;
    for (bench_begin(&run, what, sizeof(long)), run.parts = (int)count; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            issue(operation, count);
            shmem_barrier_all();
        }
    return bench_median(run.per_round, run.batches);
}

static void compare(const char *what, void (*operation)(long *, int, long))
{
    char text[64];
    double one_by_one = measure(what, operation, ONE_BY_ONE);
#ifdef SHMEM_CTX_SESSION_BATCH
    snprintf(text, sizeof text, "%s, in a session", what);
    shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
    double batched = measure(text, operation, BATCHED);
    shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
    snprintf(text, sizeof text, "%s, times faster", what);
    bench_report(text, sizeof(long), one_by_one / batched, "x");
#else
    (void)text, (void)one_by_one;
#endif
}

int main(void)
{
    bench_start();
    words = bench_setting("BENCH_WORDS", 131072);
    table = bench_memory((size_t)words * sizeof *table);
    values = malloc(BATCHED * sizeof *values);
    if (!values)
        shmem_global_exit(1);
    state = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)(bench_me + 1);
    compare("histogram", increment);
    compare("index-gather", get);
    compare("scatter", put);
    free(values);
    bench_end();
}
