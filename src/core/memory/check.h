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

/* The bytes of so many elements. At every level: a product that wraps or that no object can have ends the
 * program. */
_Noreturn void sheaf_check_bytes_refuse(size_t count, size_t element_bytes, const char *call);
static inline size_t sheaf_check_bytes(size_t count, size_t element_bytes, const char *call)
{
    size_t bytes;
    if (sheaf_unlikely(__builtin_mul_overflow(count, element_bytes, &bytes) || bytes > PTRDIFF_MAX))
        sheaf_check_bytes_refuse(count, element_bytes, call);
    return bytes;
}

/* The same for calls whose slow way looks: SIZE_MAX in place of too many. */
static inline size_t sheaf_bytes_of(size_t count, size_t element_bytes)
{
    return count <= PTRDIFF_MAX / element_bytes ? count * element_bytes : SIZE_MAX;
}

static inline void sheaf_check_size(size_t bytes, const char *call)
{
    if (sheaf_unlikely(bytes > PTRDIFF_MAX))
        sheaf_check_bytes_refuse(bytes, 1, call);
}

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
