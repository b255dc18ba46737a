/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs at once put to PE 0, each to a block of its own, with a quiet after each put; and how
 * evenly they get on.
 */
#include "../bench.h"

static void measure(char *target, const char *source, size_t bytes)
{
    struct bench_contest contest;
    for (bench_contest_begin(&contest); bench_contest_goes_on(&contest);) {
        shmem_putmem(target + (size_t)bench_me * 4096, source, bytes, 0);
        shmem_quiet();
    }
    bench_contest_end(&contest, "many-to-one put", bytes);
}

int main(void)
{
    bench_start();
    char *target = bench_memory((size_t)bench_pes * 4096), *source = bench_memory(4096);
    measure(target, source, 8);
    measure(target, source, 4096);
    bench_end();
}
