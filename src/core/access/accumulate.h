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

#include "core/access/route.h"
#include "core/pe/job.h"
#include "engine/engine.h"
#include "image/image.h"

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

/* Bytes of the target's memory that have one lock. The lock follows from the position in the target's
 * segment, which is the same in each process, and from the PE, so that one object's copies have different
 * locks. */
#define SHEAF_ACCUMULATE_STRIPE ((size_t)16384)

static inline size_t sheaf_accumulate_lock_number(size_t position, int pe)
{
    return (position / SHEAF_ACCUMULATE_STRIPE + 7 * (size_t)pe) % SHEAF_ACCUMULATE_LOCKS;
}

/* The node's locks, and whether accumulates meet atomic set and swap. A process without a control area is
 * the job's only PE, and has locks of its own. */
struct sheaf_sum_board {
    struct sheaf_line_lock *locks;
    uint32_t *meets_atomics;
};
extern SHEAF_HIDDEN struct sheaf_line_lock sheaf_sum_own_locks[SHEAF_ACCUMULATE_LOCKS];
extern SHEAF_HIDDEN uint32_t sheaf_sum_own_meets;

static inline struct sheaf_sum_board sheaf_sum_board(void)
{
    struct sheaf_control *control = sheaf_job.control;
    return control ? (struct sheaf_sum_board){control->accumulate_locks, &control->accumulates_meet_atomics}
                   : (struct sheaf_sum_board){sheaf_sum_own_locks, &sheaf_sum_own_meets};
}

typedef double sheaf_sum_double __attribute__((may_alias)); /* whatever type the program gave it */

/* Adds one term to an aligned double of the heap on a near PE. Returns false where nothing is added:
 * outside the heap, where the lock is taken, or beside atomic set and swap. Inline, since the processor
 * finishes all stores before an atomic operation: the structures and saved registers of
 * sheaf_accumulate() took 6 ns of 10. */
static inline bool sheaf_accumulate_double(void *dest, double term, int pe)
{
    size_t position = (size_t)((uintptr_t)dest - (uintptr_t)sheaf_image.heap);
    if (sheaf_unlikely(position >= sheaf_image.heap_length))
        return false;
    struct sheaf_sum_board board = sheaf_sum_board();
    uint32_t *lock = &board.locks[sheaf_accumulate_lock_number(position, pe)].taken, free = 0;
    if (sheaf_unlikely(!__atomic_compare_exchange_n(lock, &free, sheaf_job.lock_name, false,
                                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
        return false;
    bool is_plain = sheaf_load_relaxed(board.meets_atomics) == 0;
    if (sheaf_likely(is_plain))
        *(sheaf_sum_double *)sheaf_route_near(dest, pe) += term;
    sheaf_store_release(lock, 0);
    return is_plain;
}

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
