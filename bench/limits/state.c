/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The machine's state, in some 60 ms: how long a cache line takes between the two CPUs and back, halved,
 * and how long a copy of 32 MiB takes on both at once. Run beside every measurement: a virtual
 * machine's CPUs share a core now and then, and its neighbours use the memory.
 */
#include "limit.h"

#define COPIED ((size_t)32 << 20)
#define TURNS  2000L
#define TIMES  7

/* Without a pause between looks: the rhythms of loops that pause (pingpong.c) would pass for states. */
static void await_turn(long turn)
{
    while (limit_load(shared->flags[bench_me]) != turn)
        ;
}

static double exchange(void)
{
    static long turn;
    double start = bench_now_ns();
    for (long i = 0; i < TURNS; i++) {
        ++turn;
        if (bench_me == 0)
            limit_store(shared->flags[1], turn);
        await_turn(turn);
        if (bench_me == 1)
            limit_store(shared->flags[0], turn);
    }
    return (bench_now_ns() - start) / (double)TURNS / 2;
}

static double copy(char *to, const char *from)
{
    bench_barrier();
    double start = bench_now_ns();
    memcpy(to, from, COPIED / 2);
    BENCH_KEEP(to);
    bench_barrier();
    return bench_now_ns() - start;
}

int main(void)
{
    double line[TIMES], memory[TIMES];
    limit_start_pair(0);
    char *to = limit_memory(COPIED / 2), *from = limit_memory(COPIED / 2);
    for (int i = 0; i < TIMES; i++) {
        bench_barrier();
        line[i] = exchange();
        memory[i] = copy(to, from);
    }
    bench_report("state: cache line", 8, bench_median(line, TIMES), "ns");
    bench_report("state: copy", COPIED, bench_median(memory, TIMES), "ns");
    return limit_end();
}
