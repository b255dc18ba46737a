/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Computation that calls no library and never looks at the clock, so that it takes longer where
 * somebody else uses the processor: a chain of multiplications, and how long one step takes.
 */
#ifndef COMPUTE_H
#define COMPUTE_H

#include "../timing.h"

static unsigned long compute_state = 1;

static inline void compute(long steps)
{
    unsigned long state = compute_state;
    for (long i = 0; i < steps; i++) {
        state = state * 6364136223846793005UL + 1442695040888963407UL;
        __asm__ volatile("" : "+r"(state));
    }
    compute_state = state;
}

/* Nanoseconds of a step when nothing disturbs: the least of many tries. */
static inline double compute_step_ns(void)
{
    const long steps = 100000;
    double best = 1e9;
    for (int i = 0; i < 50; i++) {
        double start = bench_now_ns();
        compute(steps);
        double step = (bench_now_ns() - start) / (double)steps;
        best = step < best ? step : best;
    }
    return best;
}

#endif
