/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists all blocks, and makes a heap from such a list: see heap.h. The place of the next block depends
 * only on the blocks, the holes and the weight (heap_fit.c).
 */
#include "image/heap/heap.h"

#include <stdlib.h>

void sheaf_heap_list(const struct sheaf_heap *heap, struct sheaf_heap_block *list)
{
    struct sheaf_heap_block block, next;
    sheaf_heap_neighbours(heap, 0, &block, &next);
    while (block.size > 0 || next.size > 0) {
        if (block.size > 0)
            *list++ = block;
        block = next;
        if (next.size > 0)
            sheaf_heap_neighbours(heap, block.offset, &(struct sheaf_heap_block){0}, &next);
    }
}

static size_t span_of(size_t size)
{
    return (size + SHEAF_HEAP_ALIGNMENT - 1) & ~(size_t)(SHEAF_HEAP_ALIGNMENT - 1);
}

/* Allocates the space from from to to: without holes a block lies at the end of the last one. The caller
 * releases it later, which makes the hole. */
static bool fill_up(struct sheaf_heap *heap, size_t from, size_t to)
{
    return to == from ||
           (to > from && sheaf_heap_allocate(heap, to - from, SHEAF_HEAP_ALIGNMENT) == from);
}

static bool put_block(struct sheaf_heap *heap, const struct sheaf_heap_block *block, size_t end)
{
    return block->offset % SHEAF_HEAP_ALIGNMENT == 0 && block->size > 0 && block->size <= SIZE_MAX / 2 &&
           fill_up(heap, end, block->offset) &&
           sheaf_heap_allocate_labelled(heap, block->size, SHEAF_HEAP_ALIGNMENT, block->label) ==
               block->offset;
}

/* Allocates all blocks of the list, and blocks in place of the holes. */
static bool put_blocks(struct sheaf_heap *heap, const struct sheaf_heap_block *list, size_t count,
                       size_t high_water)
{
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (!put_block(heap, &list[i], end))
            return false;
        end = list[i].offset + span_of(list[i].size);
    }
    return high_water % SHEAF_HEAP_ALIGNMENT == 0 && fill_up(heap, end, high_water);
}

static void open_holes(struct sheaf_heap *heap, const struct sheaf_heap_block *list, size_t count,
                       size_t high_water)
{
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (list[i].offset > end)
            sheaf_heap_release(heap, end);
        end = list[i].offset + span_of(list[i].size);
    }
    if (high_water > end)
        sheaf_heap_release(heap, end);
}

struct sheaf_heap *sheaf_heap_create_with(size_t limit, const struct sheaf_heap_block *list, size_t count,
                                          size_t high_water)
{
    struct sheaf_heap *heap = sheaf_heap_create(limit);
    if (!heap)
        return NULL;
    if (!put_blocks(heap, list, count, high_water)) {
        sheaf_heap_destroy(heap);
        return NULL;
    }
    open_holes(heap, list, count, high_water);
    sheaf_heap_settle(heap);
    return heap;
}
