/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The numbers of HPC Challenge's RandomAccess: a(0) = 1, and a(k + 1) is a(k) times x, both taken as
 * polynomials over the numbers 0 and 1, modulo x^64 + x^2 + x + 1. Knows no PEs.
 */
#ifndef SEQUENCE_H
#define SEQUENCE_H

#include <stdint.h>

static inline uint64_t sequence_next(uint64_t a)
{
    return a << 1 ^ (a >> 63 != 0 ? 7 : 0);
}

/* a(k), in a number of steps that grows with the logarithm of k. */
uint64_t sequence_at(uint64_t k);

#endif
