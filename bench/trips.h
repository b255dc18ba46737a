/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The time of every single trip, for latency.c and mpi/latency.c: not the median alone but the worst counts, which is
 * what a job of many PEs waits for. Each trip takes one look at the clock, which is part of it.
 */
#ifndef BENCH_TRIPS_H
#define BENCH_TRIPS_H

#include "timing.h"

#define TRIPS_MOST  200000
#define TRIPS_FIRST 1000 /* to warm up, not counted */

static double trips[TRIPS_MOST];

/* As many of a size as take a tenth of a second or so over shared memory, at most. Their places are written before: else every
 * 512th trip of the first size has a page fault, which is more than one in a thousand. */
static inline long trips_of(size_t bytes)
{
    long count = bench_setting("BENCH_TRIPS", bytes <= 4096 ? 100000 : 2000);
    count = count < 10 ? 10 : count > TRIPS_MOST ? TRIPS_MOST : count;
    memset(trips, 0, (size_t)count * sizeof *trips);
    return count;
}

/* Each trip's time, into trips. Inlined with its trip, which is a constant: no call is added to the time. */
static inline __attribute__((always_inline)) void trips_take(void (*trip)(void *), void *game, long count)
{
    double last = bench_now_ns();
    for (long i = -TRIPS_FIRST; i < count; i++) {
        trip(game);
        double now = bench_now_ns();
        if (i >= 0)
            trips[i] = now - last;
        last = now;
    }
}

/* Half of each round trip: average, least, most, and what 99.9 % do not exceed. */
static inline void trips_report(long count, size_t bytes)
{
    double sum = 0;
    for (long i = 0; i < count; i++)
        sum += trips[i] /= 2;
    qsort(trips, (size_t)count, sizeof *trips, bench_compare);
    bench_report("latency, average", bytes, sum / (double)count, "ns");
    bench_report("latency, least", bytes, trips[0], "ns");
    bench_report("latency, 99.9 %", bytes, trips[count - 1 - count / 1000], "ns");
    bench_report("latency, most", bytes, trips[count - 1], "ns");
}

#endif
