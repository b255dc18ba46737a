/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much gets through: WINDOW nonblocking puts, or gets, and a quiet after them, by size. The
 * time of one of them is reported.
 */
#include "../bench.h"

#define MOST   ((size_t)4 << 20)
#define WINDOW 16

static void puts_of(char *target, const char *source, size_t bytes, int pe)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "put, streamed", bytes), run.parts = WINDOW; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            for (int n = 0; n < WINDOW; n++)
                shmem_putmem_nbi(target, source, bytes, pe);
            shmem_quiet();
        }
}

static void gets_of(char *target, const char *source, size_t bytes, int pe)
{
    struct bench_run run;
    for (bench_begin_alone(&run, "get, streamed", bytes), run.parts = WINDOW; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            for (int n = 0; n < WINDOW; n++)
                shmem_getmem_nbi(target, source, bytes, pe);
            shmem_quiet();
        }
}

int main(void)
{
    bench_start();
    char *target = bench_memory(MOST), *source = bench_memory(MOST);
    if (bench_me == 0)
        for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
            puts_of(target, source, bytes, bench_partner());
            gets_of(target, source, bytes, bench_partner());
        }
    bench_end();
}
