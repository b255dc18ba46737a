/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The random numbers of the NAS parallel benchmarks (report RNR-94-007, section 2.3): x' = a x mod 2^46,
 * and r = x / 2^46. Plain C, knows no PEs: a PE begins anywhere in the sequence.
 */
#ifndef NAS_H
#define NAS_H

#include <stdint.h>

#define NAS_MULTIPLIER UINT64_C(1220703125) /* a = 5^13 */
#define NAS_MASK       ((UINT64_C(1) << 46) - 1)

/* The seed's successor. 2^46 divides 2^64, so an overflow is harmless. */
static inline uint64_t nas_next(uint64_t x)
{
    return NAS_MULTIPLIER * x & NAS_MASK;
}

static inline double nas_fraction(uint64_t x)
{
    return (double)x * 0x1p-46;
}

/* a^steps mod 2^46 times the seed: what so many calls of nas_next make of it. */
static inline uint64_t nas_jump(uint64_t seed, uint64_t steps)
{
    for (uint64_t power = NAS_MULTIPLIER; steps > 0; steps >>= 1, power = power * power & NAS_MASK)
        if (steps & 1)
            seed = power * seed & NAS_MASK;
    return seed;
}

#endif
