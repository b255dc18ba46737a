/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks of the symmetric heap, as offsets from its start. The same calls give the same offsets on
 * every PE. Hinted blocks (hinted_heap.h) lie at the heap's upper end, where they are kept apart. Any
 * thread may call; allocation.h does so on all PEs alike.
 */
#ifndef SHEAF_CORE_MEMORY_BLOCKS_H
#define SHEAF_CORE_MEMORY_BLOCKS_H

#include "core/memory/guard.h"

#include <stdbool.h>
#include <stddef.h>

/* Once the heap has its memory. is_guarded: with SHEAF_CHECK=memory, on all PEs alike, as guard.h has it;
 * hinted blocks are not. Returns 0, or -1 without memory for the bookkeeping. */
int sheaf_blocks_init(bool keeps_hinted_apart, bool is_guarded);

/* Bytes of the heap that no block holds and that have been written. */
bool sheaf_blocks_find_damage(bool all, struct sheaf_guard_damage *damage);

/* Forgets all blocks; returns one past the highest byte that ever belonged to one. */
size_t sheaf_blocks_fini(void);

void sheaf_blocks_usage(struct sheaf_heap_usage *usage);
size_t sheaf_blocks_live(void);

/* As sheaf_guarded_list and sheaf_guarded_adopt have it. Both fail where blocks are kept apart by hints and
 * there is one. */
int sheaf_blocks_list(struct sheaf_block_list *list);
int sheaf_blocks_adopt(const struct sheaf_block_list *list);

/* This PE goes on as those that adopt the list of its blocks. */
void sheaf_blocks_settle(void);

/* Whether the heap is guarded; whether it has had a hinted block, kept apart. */
bool sheaf_blocks_are_guarded(void);
bool sheaf_blocks_have_hinted(void);

/* The only hinted block that there has been is released: as if there had been none, and there will be
 * none. */
void sheaf_blocks_forget_hinted(void);

/* Offset of a new block, or SHEAF_HEAP_FULL. Bytes from *fresh_from on were never part of a block. */
size_t sheaf_blocks_allocate(size_t size, size_t alignment, bool hinted, size_t *fresh_from);

/* Releases the block that begins at offset; returns how many bytes from there on are free: 0 where they are
 * kept away. */
size_t sheaf_blocks_release(size_t offset);

/* Of the block that begins at offset; 0 where none does. */
size_t sheaf_blocks_size(size_t offset);

/* Makes the block at offset longer or shorter where it is, if that is possible; its former size. A
 * hinted block does not grow: what lies above it is another's. */
bool sheaf_blocks_resize(size_t offset, size_t size, size_t *before);

/* Takes that back. */
void sheaf_blocks_restore(size_t offset, size_t before);

/* Whether object lies among the hinted blocks, where they are kept apart; the same of an offset. */
bool sheaf_blocks_is_hinted(const void *object);
bool sheaf_blocks_is_hinted_offset(size_t offset);

/* The allocated block that contains address: its first byte and size. False when there is none. */
bool sheaf_blocks_find(const void *address, void **start, size_t *size);

/* What lies around an address of the heap. Also in a fault handler, whose own thread may be in the middle
 * of an allocation: false then. */
bool sheaf_blocks_look_around(const void *address, struct sheaf_around *around);

#endif
