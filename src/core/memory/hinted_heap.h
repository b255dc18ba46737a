/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The upper end of the symmetric heap: blocks allocated with SHMEM_MALLOC_ATOMICS_REMOTE where
 * SHEAF_ATOMICS=hinted. So one comparison tells the provider of an object's atomic operations. It grows
 * downwards, towards the other blocks. The same calls give the same offsets on every PE; offsets are those
 * of the heap. blocks.c calls it with its lock held.
 */
#ifndef SHEAF_CORE_MEMORY_HINTED_HEAP_H
#define SHEAF_CORE_MEMORY_HINTED_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* limit: bytes of the heap. Returns 0, or -1 without memory for the bookkeeping. */
int sheaf_hinted_init(size_t limit);
void sheaf_hinted_fini(void);

/* The offset where it begins: one past the heap's last byte while it is empty; SIZE_MAX where it is not
 * used. */
size_t sheaf_hinted_bottom(void);

/* Allocates a block above lowest. Returns its offset, or SHEAF_HEAP_FULL. */
size_t sheaf_hinted_allocate(size_t size, size_t lowest);

/* Like sheaf_heap_release(), sheaf_heap_block_size(), sheaf_heap_find(). */
size_t sheaf_hinted_release(size_t offset);
size_t sheaf_hinted_block_size(size_t offset);
bool sheaf_hinted_find(size_t offset, size_t *start, size_t *size);

#endif
