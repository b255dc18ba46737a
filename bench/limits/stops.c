/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How often a CPU is taken away from a process that has it to itself: as many processes as the argument says, each on its
 * CPU, do nothing but read the clock. Told are the time from one stop of a length to the next, the whole time where there
 * was none, and the longest stop: no trip between two PEs is safe from them.
 */
#include "limit.h"

static const struct {
    const char *name;
    double from_ns;
} lengths[] = {{"from one stop of 1 us to the next", 1e3},
               {"from one stop of 10 us to the next", 1e4},
               {"from one stop of 100 us to the next", 1e5}};

#define LENGTHS ((int)(sizeof lengths / sizeof *lengths))

int main(int argc, char **argv)
{
    limit_start(argc > 1 ? atoi(argv[1]) : 2);
    const double all_ns = (double)bench_setting("BENCH_COMPUTE_MS", 2000) * 1e6;
    long stops[LENGTHS] = {0};
    double longest = 0;
    bench_barrier();
    const double begin = bench_now_ns();
    for (double last = begin, now = begin; now < begin + all_ns; last = now) {
        now = bench_now_ns();
        for (int i = 0; i < LENGTHS && now - last >= lengths[i].from_ns; i++)
            stops[i]++;
        longest = now - last > longest ? now - last : longest;
    }
    for (int i = 0; i < LENGTHS; i++)
        bench_report(lengths[i].name, 0, all_ns / (double)(stops[i] ? stops[i] : 1), "ns");
    bench_report("longest stop", 0, longest, "ns");
    return limit_end();
}
