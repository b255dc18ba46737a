/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The choices of SHEAF_CHAOS for each call of a PE: how late the operation is performed, and whether the
 * PE sleeps before it. They follow from the seed, the PE and the call's number alone.
 */
#ifndef SHEAF_CORE_ACCESS_CHAOS_CHOICE_H
#define SHEAF_CORE_ACCESS_CHAOS_CHOICE_H

#include "base/times.h"

#include <stdbool.h>
#include <stdint.h>

/* Of the first calls, every second quiet is patient; of later calls, 1 quiet of 64. */
#define SHEAF_CHAOS_FIRST 1000

struct sheaf_chaos_choice {
    uint64_t late_ns;   /* 0: it is performed at once */
    uint64_t dawdle_ns; /* the PE's sleep before the call; 0: none */
    bool is_patient;    /* a patient quiet waits until each operation is due; another one performs them at
                           once */
};

/* splitmix64's last step: every bit of number changes half of the result's. */
static inline uint64_t sheaf_chaos_mix(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

static inline uint64_t sheaf_chaos_random(uint64_t seed, int pe, uint64_t number)
{
    const uint64_t step = UINT64_C(0x9e3779b97f4a7c15);
    return sheaf_chaos_mix(sheaf_chaos_mix(seed + step * ((uint64_t)pe + 1)) + step * number);
}

/* One PE of four is slow. */
static inline bool sheaf_chaos_is_slow(uint64_t seed, int pe)
{
    return sheaf_chaos_random(seed, pe, 0) % 4 == 0;
}

/* Of 16 operations 6 are not late, 4 by less than 300 us, 4 by less than 3 ms and 2 by less than 30 ms. */
static inline uint64_t sheaf_chaos_lateness(uint64_t random)
{
    const unsigned of_16 = (unsigned)(random & 15);
    const uint64_t limit = of_16 < 6    ? 1
                           : of_16 < 10 ? sheaf_times.chaos_late_most / 100
                           : of_16 < 14 ? sheaf_times.chaos_late_most / 10
                                        : sheaf_times.chaos_late_most;
    return (random >> 4) % limit;
}

/* The choice for the PE's call with this number, from 1 on. Later quiets are seldom patient: a long
 * program has many of them. */
static inline struct sheaf_chaos_choice sheaf_chaos_choose(uint64_t seed, int pe, uint64_t number)
{
    const uint64_t random = sheaf_chaos_random(seed, pe, number), other = sheaf_chaos_mix(random);
    const bool dawdles = sheaf_chaos_is_slow(seed, pe) && other % 16 == 0;
    return (struct sheaf_chaos_choice){
        .late_ns = sheaf_chaos_lateness(random),
        .dawdle_ns = dawdles ? (other >> 4) % sheaf_times.chaos_slow_most : 0,
        .is_patient = (other >> 32) % (number <= SHEAF_CHAOS_FIRST ? 2 : 64) == 0,
    };
}

#endif
