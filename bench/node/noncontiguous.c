/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sheaf's noncontiguous transfers and accumulates, each beside a loop of the contiguous calls that
 * does the same: 64 rows of 8, 64 and 4096 bytes, in order and anywhere, and 64 and 4096 numbers. Other
 * libraries have none of it, and nothing is printed.
 */
#include "../bench.h"

#if __has_include(<shmemx.h>)
#include <shmemx.h>
#endif

#ifdef SHMEMX_MAX_DIMS

#define ROWS  64
#define WIDTH 8256 /* from row to row, at either end */

static char *target, *source;
static void *dests[ROWS];
static const void *sources[ROWS];
static int pe;

/* Rounds of one thing, with what completes it. */
#define MEASURE(WHAT, BYTES, ...)                                                                  \
    do {                                                                                           \
        struct bench_run run;                                                                      \
        for (bench_begin_alone(&run, WHAT, BYTES); bench_batch(&run);)                             \
            for (long round = 0; round < run.count; round++) {                                     \
                __VA_ARGS__                                                                        \
            }                                                                                      \
    } while (0)

static void measure_strided(size_t bytes)
{
    const ptrdiff_t strides[] = {WIDTH};
    const size_t counts[] = {bytes, ROWS};
    MEASURE("strided put + quiet", bytes * ROWS, {
        shmemx_putmem_strided(target, source, strides, strides, counts, 2, pe);
        shmem_quiet();
    });
    MEASURE("loop of puts + quiet", bytes * ROWS, {
        for (int i = 0; i < ROWS; i++)
            shmem_putmem(target + i * WIDTH, source + i * WIDTH, bytes, pe);
        shmem_quiet();
    });
    MEASURE("strided get", bytes * ROWS, {
        shmemx_getmem_strided(source, target, strides, strides, counts, 2, pe);
    });
    MEASURE("loop of gets", bytes * ROWS, {
        for (int i = 0; i < ROWS; i++)
            shmem_getmem(source + i * WIDTH, target + i * WIDTH, bytes, pe);
    });
    MEASURE("loop of nonblocking gets", bytes * ROWS, {
        for (int i = 0; i < ROWS; i++)
            shmem_getmem_nbi(source + i * WIDTH, target + i * WIDTH, bytes, pe);
        shmem_quiet();
    });
}

/* Rows in an order that nothing can guess. */
static void scatter(char *remote, char *local)
{
    for (int i = 0; i < ROWS; i++) {
        int row = i * 29 % ROWS;
        dests[i] = remote + row * WIDTH;
        sources[i] = local + i * i % ROWS * WIDTH;
    }
}

static void measure_vector(size_t bytes)
{
    const shmemx_vector_t vector = {dests, sources, ROWS, bytes};
    scatter(target, source);
    MEASURE("vector put + quiet", bytes * ROWS, {
        shmemx_putmem_vector(&vector, 1, pe);
        shmem_quiet();
    });
    MEASURE("loop of scattered puts + quiet", bytes * ROWS, {
        for (int i = 0; i < ROWS; i++)
            shmem_putmem(dests[i], sources[i], bytes, pe);
        shmem_quiet();
    });
    scatter(source, target);
    MEASURE("vector get", bytes * ROWS, { shmemx_getmem_vector(&vector, 1, pe); });
    MEASURE("loop of scattered gets", bytes * ROWS, {
        for (int i = 0; i < ROWS; i++)
            shmem_getmem(dests[i], sources[i], bytes, pe);
    });
}

static void measure_handles(void)
{
    const ptrdiff_t strides[] = {WIDTH};
    const size_t counts[] = {64, ROWS};
    MEASURE("strided put, waited for", 64 * ROWS, {
        shmemx_handle_t handle;
        shmemx_putmem_strided_nb(target, source, strides, strides, counts, 2, pe, &handle);
        shmemx_wait(&handle);
    });
}

static void measure_accumulate(size_t count)
{
    long *longs = (long *)source, *sums = (long *)target;
    MEASURE("accumulate of longs + quiet", count * 8, {
        shmemx_long_accumulate(sums, longs, 1, count, pe);
        shmem_quiet();
    });
    MEASURE("loop of atomic adds + quiet", count * 8, {
        for (size_t i = 0; i < count; i++)
            shmem_long_atomic_add(&sums[i], longs[i], pe);
        shmem_quiet();
    });
    memset(source, 0, count * 16);
    MEASURE("accumulate of doubles + quiet", count * 8, {
        shmemx_double_accumulate((double *)target, (double *)source, 2, count, pe);
        shmem_quiet();
    });
    MEASURE("accumulate of complex doubles + quiet", count * 16, {
        shmemx_complexd_accumulate((sheaf_complexd *)target, (sheaf_complexd *)source, 2, count, pe);
        shmem_quiet();
    });
}

static void measure_all(void)
{
    static const size_t bytes[] = {8, 64, 4096};
    for (int i = 0; i < 3; i++) {
        measure_strided(bytes[i]);
        measure_vector(bytes[i]);
    }
    measure_handles();
    measure_accumulate(64);
    measure_accumulate(4096);
}

int main(void)
{
    bench_start();
    target = bench_memory(ROWS * WIDTH);
    source = bench_memory(ROWS * WIDTH);
    pe = bench_partner();
    if (bench_me == 0)
        measure_all();
    bench_end();
}

#else

int main(void)
{
    bench_start();
    bench_end();
}

#endif
