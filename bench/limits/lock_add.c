/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The LOCK instructions behind atomic operations, on a word that nobody else touches;
 * fetch-add behind a call too.
 */
#include "limit.h"

#include "callee.h"

int main(void)
{
    limit_start_alone();
    long *target = limit_memory(4096);
    struct bench_run run;
    for (bench_begin_alone(&run, "fetch-add", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(__atomic_fetch_add(target, i, __ATOMIC_SEQ_CST));
    for (bench_begin_alone(&run, "fetch-add behind a call", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(callee_fetch_add(target, i, 1));
    for (bench_begin_alone(&run, "add", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            __atomic_add_fetch(target, i, __ATOMIC_SEQ_CST);
    for (bench_begin_alone(&run, "swap", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(__atomic_exchange_n(target, i, __ATOMIC_SEQ_CST));
    long last = *target;
    for (bench_begin_alone(&run, "cswap", 8); bench_batch(&run);)
        for (long i = 0; i < run.count; i++, last++) {
            long expected = last;
            __atomic_compare_exchange_n(target, &expected, last + 1, 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST);
            BENCH_KEEP(expected);
        }
}
