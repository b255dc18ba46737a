/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs at once: one lock taken and given back, and how evenly the PEs get it.
 */
#include "../bench.h"

static long lock;
static long guarded;

int main(void)
{
    bench_start();
    struct bench_contest contest;
    for (bench_contest_begin(&contest); bench_contest_goes_on(&contest);) {
        shmem_set_lock(&lock);
        shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
        shmem_clear_lock(&lock);
    }
    bench_contest_end(&contest, "lock", 8);
    bench_end();
}
