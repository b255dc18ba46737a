/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks of arguments that the specification forbids and that no other code notices. Each check ends the
 * program with a line that names the call, the argument, its value and the expected one. Most checks do
 * nothing without SHEAF_CHECK=args.
 */
#ifndef SHEAF_CORE_MEMORY_CHECK_H
#define SHEAF_CORE_MEMORY_CHECK_H

#include "base/atomic.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes of count elements. At every level: a product that wraps or that no object can have ends the
 * program. */
_Noreturn void sheaf_check_bytes_refuse(size_t count, size_t element_bytes, const char *call);
static inline size_t sheaf_check_bytes(size_t count, size_t element_bytes, const char *call)
{
    size_t bytes;
    if (sheaf_unlikely(__builtin_mul_overflow(count, element_bytes, &bytes) || bytes > PTRDIFF_MAX))
        sheaf_check_bytes_refuse(count, element_bytes, call);
    return bytes;
}

/* The same for calls whose slow path checks the product: SIZE_MAX where it is too large. */
static inline size_t sheaf_bytes_of(size_t count, size_t element_bytes)
{
    return count <= PTRDIFF_MAX / element_bytes ? count * element_bytes : SIZE_MAX;
}

static inline void sheaf_check_size(size_t bytes, const char *call)
{
    if (sheaf_unlikely(bytes > PTRDIFF_MAX))
        sheaf_check_bytes_refuse(bytes, 1, call);
}

/* Checks that the bytes read and the bytes written have none in common; with may_be_same they may also
 * be the same. */
void sheaf_check_apart(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                       bool may_be_same, const char *call);

/* Checks that the buffers of a collective are symmetric and do not overlap, as above. */
void sheaf_check_buffers(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                         bool may_be_same, const char *call);

/* At every level, for collectives whose members access one another's buffers directly: with a private
 * buffer they would access unrelated memory of the other PE. It takes 9 ns for two buffers in the heap,
 * and 19 ns for two variables. */
void sheaf_check_reached(const void *dest, size_t dest_bytes, const void *source, size_t source_bytes,
                         const char *call);

/* Checks that the caller is the thread that initialized, where the thread level requires that. */
void sheaf_check_thread(const char *call);

/* Checks a count of elements that the deprecated forms take as an int. */
void sheaf_check_count(const char *name, int count, const char *call);

/* Checks that the signal of a put does not lie in the bytes that the put writes. */
void sheaf_check_signal(const void *dest, size_t bytes, const uint64_t *signal, const char *call);

/* Checks that blocks do not overlap: strides are at least a block's length. */
void sheaf_check_strides(const struct sheaf_blocks *blocks, const char *call);

/* Checks that arrays are aligned for their type, on calls that do not take the fast path. */
void sheaf_check_elements_now(const void *dest, const void *source, size_t alignment, const char *call);
static inline void sheaf_check_elements(const void *dest, const void *source, size_t alignment,
                                        const char *call)
{
    if (sheaf_unlikely((((uintptr_t)dest | (uintptr_t)source) & (alignment - 1)) != 0))
        sheaf_check_elements_now(dest, source, alignment, call);
}

/* Checks that an atomic object is aligned to its size. At every level, since the fast path does not
 * check it. */
void sheaf_check_aligned(const void *object, size_t bytes, const char *call);

#endif
