/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The upper end of the symmetric heap: blocks allocated with SHMEM_MALLOC_ATOMICS_REMOTE where
 * SHEAF_ATOMICS=hinted, so that one comparison tells whose atomic operations an object's are. It
 * grows downwards as it is used, towards the other blocks; the same calls give the same offsets on
 * every PE. Offsets are those of the heap. blocks.c calls it, with its lock held.
 */
#ifndef SHEAF_CORE_MEMORY_HINTED_HEAP_H
#define SHEAF_CORE_MEMORY_HINTED_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* limit: bytes of the heap. Returns 0, or -1 without memory for the bookkeeping. */
int sheaf_hinted_init(size_t limit);
void sheaf_hinted_fini(void);

/* Where it begins: one past the heap's last byte while it is empty, and where it is not used. */
size_t sheaf_hinted_bottom(void);

/* A block that lies above lowest. Returns its offset, or SHEAF_HEAP_FULL. */
size_t sheaf_hinted_allocate(size_t size, size_t lowest);

/* As sheaf_heap_release(), sheaf_heap_block_size(), sheaf_heap_find(). */
size_t sheaf_hinted_release(size_t offset);
size_t sheaf_hinted_block_size(size_t offset);
bool sheaf_hinted_find(size_t offset, size_t *start, size_t *size);

#endif
