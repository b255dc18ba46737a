/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Small operations that nobody waits for, many after another: each PE of the first half of the job issues COUNT to
 * its partner in the second half, then all meet. The time of one of them, by kind. Where the library has no
 * nonblocking fetch-add the blocking one is measured, which is what a program has there.
 */
#include "../bench.h"

#define COUNT 1024
#define MOST  ((size_t)4096)

static char *target, *source;
static long *results;

static char *at(char *memory, long i, size_t bytes)
{
    return memory + (size_t)i * bytes;
}

static void put(long i, size_t bytes, int pe)
{
    shmem_putmem(at(target, i, bytes), at(source, i, bytes), bytes, pe);
}

static void put_nbi(long i, size_t bytes, int pe)
{
    shmem_putmem_nbi(at(target, i, bytes), at(source, i, bytes), bytes, pe);
}

static void get_nbi(long i, size_t bytes, int pe)
{
    shmem_getmem_nbi(at(source, i, bytes), at(target, i, bytes), bytes, pe);
}

static void p(long i, size_t bytes, int pe)
{
    shmem_long_p((long *)at(target, i, bytes), i, pe);
}

static void add(long i, size_t bytes, int pe)
{
    shmem_long_atomic_add((long *)at(target, i, bytes), 3, pe);
}

static void fetch_add_nbi(long i, size_t bytes, int pe)
{
#if BENCH_HAS(1, 5)
    shmem_long_atomic_fetch_add_nbi(&results[i], (long *)at(target, i, bytes), 3, pe);
#else
    results[i] = shmem_long_atomic_fetch_add((long *)at(target, i, bytes), 3, pe);
#endif
}

static void measure(const char *what, void (*operation)(long, size_t, int), size_t bytes)
{
    struct bench_run run;
    int half = bench_pes / 2;
    long count = bench_me < half ? COUNT : 0;
    for (bench_begin(&run, what, bytes), run.parts = COUNT; bench_batch(&run);)
        for (long round = 0; round < run.count; round++) {
            for (long i = 0; i < count; i++)
                operation(i, bytes, bench_me + half);
            shmem_barrier_all();
        }
}

int main(void)
{
    bench_start();
    target = bench_memory(COUNT * MOST);
    source = bench_memory(COUNT * MOST);
    results = malloc(COUNT * sizeof *results);
    if (!results)
        shmem_global_exit(1);
    measure("p, burst", p, sizeof(long));
    measure("add, burst", add, sizeof(long));
    measure("fetch-add nbi, burst", fetch_add_nbi, sizeof(long));
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        measure("put, burst", put, bytes);
        measure("put nbi, burst", put_nbi, bytes);
        measure("get nbi, burst", get_nbi, bytes);
    }
    free(results);
    bench_end();
}
