/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message rate as in a halo exchange, for rate.c and mpi/rate.c: every PE sends 128 messages to each of six
 * neighbours, the PEs at distances 1, 2 and 3 on both sides of a ring, and gets as many; between two exchanges it writes
 * memory of its own, so that neither messages nor flags are in the caches nearest to it.
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
    return ((bench_me + distances[number]) % bench_pes + bench_pes) % bench_pes;
}

static inline void sweep(char *memory)
{
    static char value = 1;
    memset(memory, ++value, SWEPT);
    BENCH_KEEP(memory);
}

/* Collective: the median of PE 0's exchanges, per message that it sent. */
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
    bench_report("message to six neighbours", bytes, bench_median(took, RATE_ROUNDS) / (NEIGHBOURS * MESSAGES), "ns");
}

#endif
