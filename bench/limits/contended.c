/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processes, as many as the argument says or two, add to one word with the LOCK instruction: two in batches; then
 * all for the same stretch of time as in ../node/contended.c, to see how evenly they get their turns.
 */
#include "limit.h"

#define STRETCH 40 /* batches per process */

static void add(void)
{
    struct bench_run run;
    for (bench_begin(&run, "contended LOCK add", 8), run.parts = 2; bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(__atomic_fetch_add(&shared->ball, 1, __ATOMIC_SEQ_CST));
}

static void contest(long *counts)
{
    double batch_ns = (double)bench_setting("BENCH_BATCH_US", 2000) * 1e3;
    double end_ns = bench_now_ns() + batch_ns * STRETCH * bench_pes;
    long done = 0, most = 0;
    do
        BENCH_KEEP(__atomic_fetch_add(&shared->ball, 1, __ATOMIC_SEQ_CST));
    while (++done % 16 != 0 || bench_now_ns() < end_ns);
    counts[bench_me] = done;
    bench_barrier();
    for (int i = 0; i < bench_pes; i++) {
        most = counts[i] > most ? counts[i] : most;
        done = counts[i] < done ? counts[i] : done;
    }
    bench_report("contended LOCK add, fairness", 8, (double)most / (double)done, "x");
}

int main(int argc, char **argv)
{
    long *counts = limit_memory(LIMIT_MOST * sizeof *counts);
    limit_start(argc > 1 ? atoi(argv[1]) : 2);
    if (bench_pes == 2)
        add();
    bench_barrier();
    contest(counts);
    return limit_end();
}
