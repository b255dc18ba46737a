/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_getmem by size, and 8 bytes from a static variable. 8 and 64 bytes are constants, as in put.c.
 */
#include "../bench.h"

#define MOST ((size_t)64 << 20)

static long variable;

static inline __attribute__((always_inline)) void measure(char *target, const void *source, size_t bytes, int pe, const char *what)
{
    struct bench_run run;
    for (bench_begin_alone(&run, what, bytes); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_getmem(target, source, bytes, pe);
}

static void measure_any(char *target, const void *source, size_t bytes, int pe)
{
    if (bytes == 8)
        measure(target, source, 8, pe, "get");
    else if (bytes == 64)
        measure(target, source, 64, pe, "get");
    else
        measure(target, source, bytes, pe, "get");
}

int main(void)
{
    bench_start();
    char *target = bench_memory(MOST), *source = bench_memory(MOST);
    if (bench_me == 0) {
        for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
            measure_any(target, source, bytes, bench_partner());
        measure(target, &variable, 8, bench_partner(), "get static");
    }
    bench_end();
}
