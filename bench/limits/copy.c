/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memcpy by size into memory that another process has mapped too.
 */
#include "limit.h"

#define MOST ((size_t)64 << 20)

int main(void)
{
    limit_start_alone();
    char *target = limit_memory(MOST), *source = limit_memory(MOST);
    for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;) {
        struct bench_run run;
        for (bench_begin_alone(&run, "memcpy", bytes); bench_batch(&run);)
            for (long i = 0; i < run.count; i++) {
                memcpy(target, source, bytes);
                BENCH_KEEP(target);
            }
    }
}
