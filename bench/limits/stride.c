/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 64 elements of 8 bytes, every second one on both sides, in a plain loop.
 */
#include "limit.h"

#include <stddef.h>

#define ELEMENTS 64
#define STRIDE   2

__attribute__((noinline)) static void copy(long *target, const long *source, ptrdiff_t to,
                                           ptrdiff_t from, size_t elements)
{
    for (size_t i = 0; i < elements; i++)
        target[(ptrdiff_t)i * to] = source[(ptrdiff_t)i * from];
    BENCH_KEEP(target);
}

int main(void)
{
    limit_start_alone();
    long *target = limit_memory(4096), *source = limit_memory(4096);
    struct bench_run run;
    for (bench_begin_alone(&run, "strided loop", ELEMENTS * 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            copy(target, source, STRIDE, STRIDE, ELEMENTS);
}
