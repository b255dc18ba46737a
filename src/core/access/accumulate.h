/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dest += alpha * source on memory of this node, atomic per number with respect to other accumulates of
 * the same type. A number that fits the processor's atomic instructions is added by one of them, so that
 * atomic operations see complete numbers too. A pair that does not fit (double _Complex, or float _Complex
 * at an address that is no multiple of 8) is added under one of a few locks of the node. The same code
 * serves the calls of this node's PEs and the messages of far PEs.
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

/* Adds bytes in all. dest: the address in this process of memory that belongs to PE pe. source has any
 * alignment. */
void sheaf_accumulate(void *dest, const void *source, size_t bytes, const struct sheaf_scale *scale,
                      int pe);

/* The same in this PE's own memory, for the engine. */
void sheaf_accumulate_own(void *dest, const void *source, size_t bytes,
                          const struct sheaf_scale *scale);

#endif
