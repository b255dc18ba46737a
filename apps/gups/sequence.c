/* SPDX-License-Identifier: BSD-3-Clause
 *
 * x to the k-th, by squares.
 */
#include "sequence.h"

static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (; b != 0; b >>= 1, a = sequence_next(a))
        product ^= (b & 1) != 0 ? a : 0;
    return product;
}

uint64_t sequence_at(uint64_t k)
{
    uint64_t power = 1;
    for (uint64_t square = 2; k != 0; k >>= 1, square = multiply(square, square))
        if ((k & 1) != 0)
            power = multiply(power, square);
    return power;
}
