/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A barrier, and an agreement while all PEs live: batches take turns. With SHEAF_FAILURES=report or without.
 */
#include "bench.h"

#include <shmemx_ft.h>

#define TURNS 15

static void barriers(long count)
{
    for (long i = 0; i < count; i++)
        shmem_barrier_all();
}

static void agreements(long count)
{
    uint64_t flags = 1;
    for (long i = 0; i < count; i++)
        shmemx_agree(SHMEM_TEAM_WORLD, &flags);
}

static double batch_us(void (*meet)(long count), long count)
{
    shmem_barrier_all();
    double begin = bench_now_ns();
    meet(count);
    return (bench_now_ns() - begin) / 1e3 / (double)count;
}

int main(void)
{
    double barrier[TURNS], agreement[TURNS];
    bench_start();
    long count = bench_setting("BENCH_COUNT", 2000);
    batch_us(barriers, count);
    batch_us(agreements, count);
    for (int turn = 0; turn < TURNS; turn++) {
        barrier[turn] = batch_us(barriers, count);
        agreement[turn] = batch_us(agreements, count);
    }
    bench_report("barrier", 0, bench_median(barrier, TURNS), "us");
    bench_report("agreement", 0, bench_median(agreement, TURNS), "us");
    bench_end();
}
