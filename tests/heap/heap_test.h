/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the heap's tests share. They run without PEs: they are linked with the allocator alone.
 */
#ifndef TEST_HEAP_H
#define TEST_HEAP_H

#include "image/heap/heap.h"
#include "random.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

/* Ends the test as failed unless condition holds. */
#define CHECK(condition)                                                        \
    do {                                                                        \
        if (!(condition)) {                                                     \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);      \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

/* The same for two sizes, which it prints. */
#define CHECK_EQ(actual, expected)                                                          \
    do {                                                                                    \
        size_t is_ = (actual), should_ = (expected);                                        \
        if (is_ != should_) {                                                               \
            printf("%s:%d: failed: %s == %s: got %zu, expected %zu\n", __FILE__, __LINE__,  \
                   #actual, #expected, is_, should_);                                       \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

/* From 2^low to 2^high - 1: a power of two at random, then evenly up to twice that. */
static inline size_t random_size(uint64_t *state, unsigned low, unsigned high)
{
    size_t base = (size_t)1 << (low + test_random_below(state, high - low));
    return base + test_random_below(state, base);
}

static inline size_t high_water(const struct sheaf_heap *heap)
{
    struct sheaf_heap_usage usage;
    sheaf_heap_usage(heap, &usage);
    return usage.high_water;
}

#endif
