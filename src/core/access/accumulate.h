/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dest += alpha * source on memory of this node, atomic per number with respect to other accumulates of
 * the same type. Integers are added by the processor's atomic operations, on x86-64 16 bytes at once.
 * Floating-point numbers are added by vector instructions (vector_add.h) under the lock of their stripe of
 * the target's memory. Atomic set and swap of float and double take no lock. So the first of them makes all
 * later accumulates of the node use compare-and-swap instead, under the same locks. The same code serves
 * the calls of this node's PEs and the messages of far PEs.
 */
#ifndef SHEAF_CORE_ACCESS_ACCUMULATE_H
#define SHEAF_CORE_ACCESS_ACCUMULATE_H

#include "engine/engine.h"

#include <stddef.h>

/* Bytes of a number, and the alignment it needs. */
struct sheaf_number_size {
    size_t bytes;
    size_t alignment;
};
extern const struct sheaf_number_size sheaf_number_sizes[SHEAF_NUMBERS];

/* The target of accumulates: PE pe's copies of symmetric objects, which lie distance bytes behind this PE's
 * own copies in this process. */
struct sheaf_sums {
    const struct sheaf_scale *scale;
    ptrdiff_t distance;
    int pe;
};

/* Adds bytes in all, a whole number of numbers. dest: symmetric, an address of this PE's own. source has
 * any alignment. */
void sheaf_accumulate(const struct sheaf_sums *sums, void *dest, const void *source, size_t bytes);

/* The same for each block. dest and source: of the first one. */
void sheaf_accumulate_blocks(const struct sheaf_sums *sums, void *dest, const void *source,
                             const struct sheaf_blocks *blocks);

/* In this PE's own memory, for the engine. */
void sheaf_accumulate_own(void *dest, const void *source, size_t bytes,
                          const struct sheaf_scale *scale);

/* Once it returns, accumulates into memory of this node are atomic with respect to atomic set and swap of
 * floating-point numbers, until the job ends. */
void sheaf_accumulate_meets_atomics(void);

#endif
