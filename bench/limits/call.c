/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plain store and a plain load behind a function call; a store and a locked add, behind calls and
 * without.
 */
#include "limit.h"

#include "callee.h"

static void measure_without_calls(long *target)
{
    struct bench_run run;
    long word = 0;
    for (bench_begin_alone(&run, "store + locked add", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            limit_store(target, i);
            __atomic_fetch_add(&word, 0, __ATOMIC_SEQ_CST);
        }
    BENCH_KEEP(&word);
}

int main(void)
{
    limit_start_alone();
    long *target = limit_memory(4096);
    struct bench_run run;
    for (bench_begin_alone(&run, "store behind a call", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            callee_store(target, i, 1);
    for (bench_begin_alone(&run, "load behind a call", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(callee_load(target, 1));
    for (bench_begin_alone(&run, "store + locked add behind calls", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            callee_store(target, i, 1);
            callee_order();
        }
    measure_without_calls(target);
}
