/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message rate as in a halo exchange, for rate.c and mpi/rate.c: every PE sends 128 messages to each of six
 * neighbours, the PEs at distances 1, 2 and 3 on both sides of a ring, and gets as many; between two exchanges it writes
 * memory of its own, so that neither messages nor flags are in the caches nearest to it. Of fewer than seven PEs each
 * sends as many messages to all others in turn, none to itself, and the figure has another name.
 */
#ifndef BENCH_NEIGHBOURS_H
#define BENCH_NEIGHBOURS_H

#include "timing.h"

#define NEIGHBOURS   6
#define MESSAGES     128
#define RATE_MOST    ((size_t)4096)
#define RATE_ROUNDS  31
#define SWEPT        ((size_t)32 << 20) /* bytes written in between: beyond a core's own caches */

static inline int neighbour(int number)
{
    static const int distances[NEIGHBOURS] = {1, -1, 2, -2, 3, -3};
    if (bench_pes <= NEIGHBOURS)
        return (bench_me + 1 + number % (bench_pes - 1)) % bench_pes;
    return ((bench_me + distances[number]) % bench_pes + bench_pes) % bench_pes;
}

static inline void sweep(char *memory)
{
    static char value = 1;
    memset(memory, ++value, SWEPT);
    BENCH_KEEP(memory);
}

/* Of PEs: how many different neighbours each has. */
static inline const char *rate_name(void)
{
    static char name[48];
    if (bench_pes > NEIGHBOURS)
        return "message to six neighbours";
    snprintf(name, sizeof name, "message to the %d other%s", bench_pes - 1, bench_pes == 2 ? "" : "s");
    return name;
}

/* Collective: the mean of all PEs' medians of their exchanges, per message that they sent. One PE has no neighbour. */
static inline void rate_measure(void (*exchange)(size_t bytes), char *swept, size_t bytes)
{
    double took[RATE_ROUNDS];
    for (int round = -2; round < RATE_ROUNDS; round++) {
        sweep(swept);
        bench_barrier();
        double begin = bench_now_ns();
        exchange(bytes);
        if (round >= 0)
            took[round] = bench_now_ns() - begin;
    }
    bench_report(rate_name(), bytes, bench_mean(bench_median(took, RATE_ROUNDS)) / (NEIGHBOURS * MESSAGES), "ns");
}

#endif
