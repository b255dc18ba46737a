/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A context switch: two processes on one CPU hand a turn to and fro, yielding, or sleeping on a
 * futex.
 */
#include "limit.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static void sleep_while(long *word, long value)
{
    while (limit_load(word) == value)
        syscall(SYS_futex, word, FUTEX_WAIT, (int)value, NULL, NULL, 0);
}

static void hand_over(long *word, long value)
{
    limit_store(word, value);
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

int main(void)
{
    limit_start_pair(1);
    struct bench_run run;
    for (bench_begin(&run, "context switch", 0), run.parts = 2; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            while (limit_load(&shared->ball) != bench_me)
                sched_yield();
            limit_store(&shared->ball, 1 - bench_me);
        }
    for (bench_begin(&run, "context switch, futex", 0), run.parts = 2; bench_batch(&run);)
        for (long i = 0; i < run.count; i++) {
            sleep_while(&shared->ball, 1 - bench_me);
            hand_over(&shared->ball, 1 - bench_me);
        }
    return limit_end();
}
