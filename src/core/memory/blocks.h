/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of the symmetric heap, as offsets from its start. The same calls give the same offsets on
 * every PE. Where hinted blocks (hinted_heap.h) lie apart, they lie at the heap's upper end. Any thread
 * may call these functions; allocation.h calls them on all PEs alike.
 */
#ifndef SHEAF_CORE_MEMORY_BLOCKS_H
#define SHEAF_CORE_MEMORY_BLOCKS_H

#include "core/memory/guard.h"

#include <stdbool.h>
#include <stddef.h>

/* Called once the heap has its memory. is_guarded: with SHEAF_CHECK=memory, the same on all PEs, see
 * guard.h; hinted blocks are never guarded. Returns 0, or -1 without memory for the bookkeeping. */
int sheaf_blocks_init(bool keeps_hinted_apart, bool is_guarded);

/* Finds bytes of the heap that belong to no block and have been written. */
bool sheaf_blocks_find_damage(bool all, struct sheaf_guard_damage *damage);

/* Removes all blocks. Returns one past the highest byte that ever belonged to a block. */
size_t sheaf_blocks_fini(void);

void sheaf_blocks_usage(struct sheaf_heap_usage *usage);
size_t sheaf_blocks_live(void);

/* Like sheaf_guarded_list and sheaf_guarded_adopt. Both fail where a hinted block lies apart. */
int sheaf_blocks_list(struct sheaf_block_list *list);
int sheaf_blocks_adopt(const struct sheaf_block_list *list);

/* Brings this PE's allocator into the state of a PE that adopts the list of its blocks. */
void sheaf_blocks_settle(void);

/* Whether the heap is guarded, and whether it has had a hinted block that lies apart. */
bool sheaf_blocks_are_guarded(void);
bool sheaf_blocks_have_hinted(void);

/* The only hinted block that there has been is released: as if there had been none, and there will be
 * none. */
void sheaf_blocks_forget_hinted(void);

/* Offset of a new block, or SHEAF_HEAP_FULL. Bytes from *fresh_from on were never part of a block. */
size_t sheaf_blocks_allocate(size_t size, size_t alignment, bool hinted, size_t *fresh_from);

/* Releases the block that begins at offset. Returns the bytes that are free from there on: 0 where the
 * block goes to the quarantine. */
size_t sheaf_blocks_release(size_t offset);

/* The size of the block that begins at offset; 0 where none begins there. */
size_t sheaf_blocks_size(size_t offset);

/* Resizes the block at offset in place, if possible. *before: its former size. A hinted block does not
 * grow, since the memory above it belongs to another block. */
bool sheaf_blocks_resize(size_t offset, size_t size, size_t *before);

/* Undoes the resize. */
void sheaf_blocks_restore(size_t offset, size_t before);

/* Whether object, or an offset, lies among the hinted blocks, where these lie apart. */
bool sheaf_blocks_is_hinted(const void *object);
bool sheaf_blocks_is_hinted_offset(size_t offset);

/* The allocated block that contains address: its first byte and size. False when there is none. */
bool sheaf_blocks_find(const void *address, void **start, size_t *size);

/* The blocks around an address of the heap. May be called in a fault handler; returns false there when
 * the thread was in the middle of an allocation. */
bool sheaf_blocks_look_around(const void *address, struct sheaf_around *around);

#endif
