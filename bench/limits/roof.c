/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How fast memory gives and takes: as many processes as the argument says, each on its CPU, copy 32 MiB of their own at
 * once. The size told is what each moves, read and written.
 */
#include "limit.h"

#define COPIED ((size_t)32 << 20)

int main(int argc, char **argv)
{
    limit_start(argc > 1 ? atoi(argv[1]) : 2);
    char *to = malloc(COPIED), *from = malloc(COPIED);
    if (!to || !from)
        return 1;
    memset(to, 1, COPIED);
    memset(from, 2, COPIED);
    struct bench_run run;
    for (bench_begin(&run, "copy from memory", 2 * COPIED); bench_batch(&run);) {
        for (long i = 0; i < run.count; i++) {
            memcpy(to, from, COPIED);
            BENCH_KEEP(to);
        }
        bench_barrier();
    }
    return limit_end();
}
