/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symmetric heap's allocator. It hands out offsets in [0, limit), the same ones on every PE
 * for the same sequence of calls, and keeps its bookkeeping in private memory, out of reach of
 * remote writes. It touches no byte of the heap itself. One caller at a time.
 */
#ifndef SHEAF_IMAGE_HEAP_HEAP_H
#define SHEAF_IMAGE_HEAP_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_HEAP_FULL      ((size_t)-1) /* no block fits; nothing changed */
#define SHEAF_HEAP_ALIGNMENT 16           /* of every block: max_align_t */

struct sheaf_heap;

/* Returns NULL when private memory is exhausted. Its cost does not grow with limit. */
struct sheaf_heap *sheaf_heap_create(size_t limit);
void sheaf_heap_destroy(struct sheaf_heap *heap);

struct sheaf_heap_block {
    size_t offset, size; /* size asked for; 0: there is no such block */
    uint64_t label;      /* the caller's */
};

/* A block of at least size bytes (size > 0) at a multiple of alignment (a power of two, at
 * least SHEAF_HEAP_ALIGNMENT). Returns its offset, or SHEAF_HEAP_FULL. */
size_t sheaf_heap_allocate_labelled(struct sheaf_heap *heap, size_t size, size_t alignment, uint64_t label);
static inline size_t sheaf_heap_allocate(struct sheaf_heap *heap, size_t size, size_t alignment)
{
    return sheaf_heap_allocate_labelled(heap, size, alignment, 0);
}

/* Gives a block back. Returns its size, or 0 when no block begins at offset. */
size_t sheaf_heap_release_labelled(struct sheaf_heap *heap, size_t offset, uint64_t *label);
static inline size_t sheaf_heap_release(struct sheaf_heap *heap, size_t offset)
{
    uint64_t label;
    return sheaf_heap_release_labelled(heap, offset, &label);
}

/* Grows or shrinks a block where it stands. False, and nothing changed, when it cannot. */
bool sheaf_heap_resize(struct sheaf_heap *heap, size_t offset, size_t size);

/* Size asked for of the block that begins at offset; 0 when there is none. */
size_t sheaf_heap_block_size(const struct sheaf_heap *heap, size_t offset);

/* The block that contains offset: its first byte and size. False when offset is in no block. */
bool sheaf_heap_find(const struct sheaf_heap *heap, size_t offset, size_t *start, size_t *size);

/* The block that begins at offset; the second function gives it another label. */
struct sheaf_heap_block sheaf_heap_at(const struct sheaf_heap *heap, size_t offset);
void sheaf_heap_set_label(struct sheaf_heap *heap, size_t offset, uint64_t label);

/* The last block that begins at offset or before, and the first one that begins behind it. */
void sheaf_heap_neighbours(const struct sheaf_heap *heap, size_t offset, struct sheaf_heap_block *before,
                           struct sheaf_heap_block *after);

struct sheaf_heap_usage {
    size_t limit;      /* bytes */
    size_t live;       /* bytes asked for and not given back */
    size_t blocks;     /* how many blocks that is */
    size_t high_water; /* one past the highest byte ever part of a block */
};
void sheaf_heap_usage(const struct sheaf_heap *heap, struct sheaf_heap_usage *usage);
size_t sheaf_heap_live(const struct sheaf_heap *heap);
size_t sheaf_heap_high_water(const struct sheaf_heap *heap);

/* All blocks by ascending offset, into a list with room for usage.blocks. */
void sheaf_heap_list(const struct sheaf_heap *heap, struct sheaf_heap_block *list);

/* Forgets the state that depends on earlier calls rather than on the blocks. Two settled heaps with the
 * same blocks and high water hand out the same offsets. Visits each hole at most once. */
void sheaf_heap_settle(struct sheaf_heap *heap);

/* A settled heap with these blocks, in the order of sheaf_heap_list, and holes between them. NULL: such
 * blocks are impossible, or private memory is exhausted. */
struct sheaf_heap *sheaf_heap_create_with(size_t limit, const struct sheaf_heap_block *list, size_t count,
                                          size_t high_water);

/* Whether the allocator's structures agree with each other: for tests and the debug level. */
bool sheaf_heap_is_sound(const struct sheaf_heap *heap);

#endif
