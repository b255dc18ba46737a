/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Arguments that the specification forbids and that nothing else would notice. Each check ends the
 * program with a line that names call, argument, value and what was expected; most do nothing without
 * SHEAF_CHECK=args.
 */
#ifndef SHEAF_CORE_MEMORY_CHECK_H
#define SHEAF_CORE_MEMORY_CHECK_H

#include "base/atomic.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes read and the bytes written have none in common; may_be_same: or are the same. */
void sheaf_check_apart(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                       bool may_be_same, const char *call);

/* The buffers of a collective: symmetric, and apart as above. */
void sheaf_check_buffers(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                         bool may_be_same, const char *call);

/* At every level, for collectives whose members reach into one another's buffers: with a private
 * one they would take whatever lies at the same distance elsewhere. 9 ns for two buffers in the heap,
 * 19 for two variables. */
void sheaf_check_reached(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                         const char *call);

/* The caller is the thread that initialized, where the thread level asks for that. */
void sheaf_check_thread(const char *call);

/* A count of elements that the deprecated forms take as an int. */
void sheaf_check_count(const char *name, int count, const char *call);

/* The signal of a put is none of the bytes that the put writes. */
void sheaf_check_signal(const void *dest, size_t bytes, const uint64_t *signal, const char *call);

/* Blocks do not lie over one another: strides are at least a block's length. */
void sheaf_check_strides(const struct sheaf_blocks *blocks, const char *call);

/* Elements of a type lie at a multiple of its alignment, where a call's route is not the fast one. */
void sheaf_check_elements_now(const void *dest, const void *source, size_t alignment, const char *call);
static inline void sheaf_check_elements(const void *dest, const void *source, size_t alignment,
                                        const char *call)
{
    if (sheaf_unlikely((((uintptr_t)dest | (uintptr_t)source) & (alignment - 1)) != 0))
        sheaf_check_elements_now(dest, source, alignment, call);
}

/* An atomic object lies at a multiple of its size. At every level: the fast path does not ask. */
void sheaf_check_aligned(const void *object, size_t bytes, const char *call);

#endif
