/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs wait for one another: shmem_barrier_all and shmem_sync_all.
 */
#include "../../bench.h"

int main(void)
{
    bench_start();
    struct bench_run run;
    for (bench_begin(&run, "barrier_all", 0); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_barrier_all();
    for (bench_begin(&run, "sync_all", 0); bench_batch(&run);)
        for (long i = 0; i < run.count; i++)
            shmem_sync_all();
    bench_end();
}
