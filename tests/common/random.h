/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Seeded numbers for tests and their models. C and C++.
 */
#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

/* The next number of the sequence that *state seeds (splitmix64): the same on every PE that
 * starts from the same state. */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A number from 0 to limit - 1; limit is at least 1. */
static inline uint64_t test_random_below(uint64_t *state, uint64_t limit)
{
    return test_random(state) % limit;
}

#endif
