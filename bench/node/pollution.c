/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a transfer leaves of the caches of the core that computes: a walk over 512 KiB that were there, alone and behind
 * a nonblocking put of each size that is complete. PE 1 sleeps, so that its CPU is free for whoever makes the copy.
 */
#include "../bench.h"

#define MOST   ((size_t)16 << 20)
#define WALKED ((size_t)512 << 10)
#define TIMES  31

static char walked[WALKED];
static long over;

static double walk_ns(void)
{
    long sum = 0;
    double begin = bench_now_ns();
    for (size_t at = 0; at < WALKED; at += 64)
        sum += walked[at];
    BENCH_KEEP(sum);
    return bench_now_ns() - begin;
}

/* As long with and without a put: what else happens meanwhile is in both. */
static void pause_alike(void)
{
    for (double until = bench_now_ns() + 5e6; bench_now_ns() < until;)
        continue;
}

static void measure(char *target, const char *source, size_t bytes)
{
    double took[TIMES];
    for (int i = 0; i < TIMES; i++) {
        walk_ns();
        walk_ns();
        if (bytes > 0)
            shmem_putmem_nbi(target, source, bytes, 1);
        pause_alike();
        shmem_quiet();
        took[i] = walk_ns();
    }
    bench_report(bytes > 0 ? "walk behind a put" : "walk", bytes, bench_median(took, TIMES), "ns");
}

int main(void)
{
    bench_start();
    char *target = bench_memory(MOST), *source = bench_memory(MOST);
    memset(walked, 1, WALKED);
    shmem_barrier_all();
    if (bench_me == 0 && bench_pes >= 2) {
        measure(target, source, 0);
        for (size_t bytes = 0; (bytes = bench_next_size(bytes, MOST)) != 0;)
            measure(target, source, bytes);
        shmem_long_p(&over, 1, 1);
    }
    for (struct timespec moment = {0, 2000000}; bench_me == 1 && !*(volatile long *)&over;)
        nanosleep(&moment, NULL);
    bench_end();
}
