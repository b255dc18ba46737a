/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two processes at once add to one word with the LOCK instruction.
 */
#include "limit.h"

int main(void)
{
    limit_start_pair(0);
    struct bench_run run;
    for (bench_begin(&run, "contended LOCK add", 8), run.parts = 2; bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            BENCH_KEEP(__atomic_fetch_add(&shared->ball, 1, __ATOMIC_SEQ_CST));
    return limit_end();
}
