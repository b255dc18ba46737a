/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_putmem by size: alone, with a quiet after each, and 8 bytes to a static variable. 8 and 64 bytes are
 * constants, as they are in programs: what oshcc --inline makes of them is a store.
 */
#include "../bench.h"

#define MOST ((size_t)64 << 20)

static long variable;

static inline __attribute__((always_inline)) void measure_size(char *target, const char *source, size_t bytes, int pe)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "put", bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_putmem(target, source, bytes, pe);
    shmem_quiet();
    for (bench_begin_alone(&run, "put + quiet", bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_putmem(target, source, bytes, pe);
            shmem_quiet();
        }
}

static void measure_any(char *target, const char *source, size_t bytes, int pe)
{
    if (bytes == 8)
        measure_size(target, source, 8, pe);
    else if (bytes == 64)
        measure_size(target, source, 64, pe);
    else
        measure_size(target, source, bytes, pe);
}

static void measure_static(const char *source, int pe)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "put static + quiet", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            shmem_putmem(&variable, source, 8, pe);
            shmem_quiet();
        }
}

int main(void)
{
    bench_start();
    char *target = bench_memory(MOST), *source = bench_memory(MOST);
    if (bench_me == 0) {
        for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
            measure_any(target, source, bytes, bench_partner());
        measure_static(source, bench_partner());
    }
    bench_end();
}
