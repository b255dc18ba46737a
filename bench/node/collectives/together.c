/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_putmem and shmem_getmem by size where every PE copies at the same time, to and from the next
 * one: what the memory gives them together.
 */
#include "../../bench.h"

#define MOST ((size_t)64 << 20)

int main(void)
{
    bench_start();
    char *target = bench_memory(MOST), *source = bench_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        struct bench_run run;
        for (bench_begin(&run, "put, all at once", bytes); bench_batch(&run);)
            for (long i = 0; i < run.count; i++)
                shmem_putmem(target, source, bytes, bench_partner());
        for (bench_begin(&run, "get, all at once", bytes); bench_batch(&run);)
            for (long i = 0; i < run.count; i++)
                shmem_getmem(target, source, bytes, bench_partner());
    }
    bench_end();
}
