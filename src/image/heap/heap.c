/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operations of the symmetric heap's allocator on blocks and holes. heap_fit.c chooses a hole,
 * heap_index.c finds a block. Nothing here depends on an address of this process, so the same calls give
 * the same offsets on every PE.
 */
#include "image/heap/heap_internal.h"

#include <stdlib.h>

#define NODES_PER_CALL 3 /* a block, the hole before it and the hole after it */

struct sheaf_heap *sheaf_heap_create(size_t limit)
{
    struct sheaf_heap *heap = calloc(1, sizeof *heap);
    if (!heap)
        return NULL;
    size_t most = limit < SHEAF_HEAP_LIMIT ? limit : SHEAF_HEAP_LIMIT;
    heap->limit = limit;
    heap->usable = most & ~(size_t)(SHEAF_HEAP_ALIGNMENT - 1);
    heap->random = UINT64_C(0x9e3779b97f4a7c15);
    sheaf_heap_fit_init(heap);
    if (!sheaf_heap_reserve(heap, NODES_PER_CALL)) {
        free(heap);
        return NULL;
    }
    return heap;
}

void sheaf_heap_destroy(struct sheaf_heap *heap)
{
    if (!heap)
        return;
    free(heap->nodes);
    free(heap->buckets);
    free(heap);
}

static inline size_t span_of(size_t size)
{
    return (size + SHEAF_HEAP_ALIGNMENT - 1) & ~(size_t)(SHEAF_HEAP_ALIGNMENT - 1);
}

static inline size_t end_of(const struct sheaf_heap_node *node)
{
    return node->offset + node->span;
}

static void set_top(struct sheaf_heap *heap, uint32_t last)
{
    heap->last = last;
    heap->top = last ? end_of(&heap->nodes[last]) : 0;
    if (heap->top > heap->high_water)
        heap->high_water = heap->top;
}

/* Moves the border between a node and the hole after it; a hole left empty disappears. */
static void move_border(struct sheaf_heap *heap, uint32_t node, uint32_t hole, size_t span)
{
    size_t end = end_of(&heap->nodes[hole]);
    sheaf_heap_fit_remove(heap, hole);
    heap->nodes[node].span = span;
    heap->nodes[hole].offset = end_of(&heap->nodes[node]);
    heap->nodes[hole].span = end - heap->nodes[hole].offset;
    if (heap->nodes[hole].span == 0)
        sheaf_heap_remove(heap, hole);
    else
        sheaf_heap_fit_insert(heap, hole);
}

static void insert_hole(struct sheaf_heap *heap, uint32_t prev, size_t offset, size_t span)
{
    sheaf_heap_fit_insert(heap, sheaf_heap_insert(heap, prev, offset, span));
}

/* Cuts a node that becomes a block out of a hole; the parts before and after it stay holes. */
static uint32_t cut_block(struct sheaf_heap *heap, uint32_t hole, size_t span, size_t alignment)
{
    size_t gap = sheaf_heap_gap(heap->nodes[hole].offset, alignment);
    size_t start = heap->nodes[hole].offset + gap, end = end_of(&heap->nodes[hole]);
    uint32_t node = hole;
    sheaf_heap_fit_remove(heap, hole);
    if (gap > 0) {
        heap->nodes[hole].span = gap;
        sheaf_heap_fit_insert(heap, hole);
        node = sheaf_heap_insert(heap, hole, start, span);
    }
    heap->nodes[node].span = span;
    if (start + span < end)
        insert_hole(heap, node, start + span, end - start - span);
    return node;
}

/* Makes a node in untouched space; 0: that is too small. */
static uint32_t extend_top(struct sheaf_heap *heap, size_t span, size_t alignment)
{
    size_t gap = sheaf_heap_gap(heap->top, alignment), room = heap->usable - heap->top;
    if (gap > room || span > room - gap)
        return 0;
    size_t start = heap->top + gap;
    uint32_t before = heap->last;
    if (gap > 0) {
        uint32_t hole = sheaf_heap_insert(heap, before, heap->top, gap);
        sheaf_heap_fit_insert(heap, hole);
        before = hole;
    }
    set_top(heap, sheaf_heap_insert(heap, before, start, span));
    return heap->last;
}

size_t sheaf_heap_allocate_labelled(struct sheaf_heap *heap, size_t size, size_t alignment, uint64_t label)
{
    bool possible = size > 0 && size <= heap->usable && alignment >= SHEAF_HEAP_ALIGNMENT &&
                    (alignment & (alignment - 1)) == 0;
    if (!possible || !sheaf_heap_reserve(heap, NODES_PER_CALL))
        return SHEAF_HEAP_FULL;
    size_t span = span_of(size);
    uint32_t hole = sheaf_heap_fit_find(heap, span, alignment);
    uint32_t block = hole ? cut_block(heap, hole, span, alignment) : extend_top(heap, span, alignment);
    if (!block)
        return SHEAF_HEAP_FULL;
    heap->nodes[block].used = 1;
    heap->nodes[block].asked = size;
    heap->nodes[block].label = label;
    sheaf_heap_hash_insert(heap, block);
    heap->live += size;
    heap->blocks++;
    sheaf_heap_fit_weigh(heap);
    return heap->nodes[block].offset;
}

static bool is_hole(const struct sheaf_heap *heap, uint32_t node)
{
    return node && !heap->nodes[node].used;
}

/* Merges a node that has stopped being a block with the holes beside it. */
static uint32_t merge_holes(struct sheaf_heap *heap, uint32_t node)
{
    uint32_t prev = heap->nodes[node].prev, next = heap->nodes[node].next;
    if (is_hole(heap, next)) {
        sheaf_heap_fit_remove(heap, next);
        heap->nodes[node].span += heap->nodes[next].span;
        sheaf_heap_remove(heap, next);
    }
    if (is_hole(heap, prev)) {
        sheaf_heap_fit_remove(heap, prev);
        heap->nodes[prev].span += heap->nodes[node].span;
        sheaf_heap_remove(heap, node);
        node = prev;
    }
    return node;
}

size_t sheaf_heap_release_labelled(struct sheaf_heap *heap, size_t offset, uint64_t *label)
{
    uint32_t block = sheaf_heap_hash_find(heap, offset);
    *label = 0;
    if (!block)
        return 0;
    size_t size = heap->nodes[block].asked;
    *label = heap->nodes[block].label;
    sheaf_heap_hash_remove(heap, block);
    heap->nodes[block].used = 0;
    heap->live -= size;
    heap->blocks--;
    uint32_t hole = merge_holes(heap, block);
    if (heap->nodes[hole].next) {
        sheaf_heap_fit_insert(heap, hole);
    } else {
        set_top(heap, heap->nodes[hole].prev);
        sheaf_heap_remove(heap, hole);
    }
    sheaf_heap_fit_weigh(heap);
    return size;
}

/* Moves the end of a block. Any smaller span is possible, and a larger one as far as a hole or untouched
 * space follows. */
static bool change_span(struct sheaf_heap *heap, uint32_t block, size_t span)
{
    size_t before = heap->nodes[block].span;
    uint32_t next = heap->nodes[block].next;
    if (span == before)
        return true;
    if (is_hole(heap, next)) {
        if (span > before + heap->nodes[next].span)
            return false;
        move_border(heap, block, next, span);
    } else if (!next) {
        if (span > heap->usable - heap->nodes[block].offset)
            return false;
        heap->nodes[block].span = span;
        set_top(heap, block);
    } else {
        if (span > before || !sheaf_heap_reserve(heap, 1))
            return false;
        heap->nodes[block].span = span;
        insert_hole(heap, block, heap->nodes[block].offset + span, before - span);
    }
    return true;
}

bool sheaf_heap_resize(struct sheaf_heap *heap, size_t offset, size_t size)
{
    uint32_t block = sheaf_heap_hash_find(heap, offset);
    if (!block || size == 0 || size > heap->usable || !change_span(heap, block, span_of(size)))
        return false;
    heap->live = heap->live - heap->nodes[block].asked + size;
    heap->nodes[block].asked = size;
    return true;
}

size_t sheaf_heap_block_size(const struct sheaf_heap *heap, size_t offset)
{
    uint32_t block = sheaf_heap_hash_find(heap, offset);
    return block ? heap->nodes[block].asked : 0;
}

bool sheaf_heap_find(const struct sheaf_heap *heap, size_t offset, size_t *start, size_t *size)
{
    uint32_t found = sheaf_heap_floor(heap, offset);
    const struct sheaf_heap_node *node = &heap->nodes[found];
    if (!found || !node->used || offset - node->offset >= node->asked)
        return false;
    *start = node->offset;
    *size = node->asked;
    return true;
}

void sheaf_heap_set_label(struct sheaf_heap *heap, size_t offset, uint64_t label)
{
    uint32_t block = sheaf_heap_hash_find(heap, offset);
    if (block)
        heap->nodes[block].label = label;
}

/* Node 0 is no block. */
static struct sheaf_heap_block block_at(const struct sheaf_heap *heap, uint32_t node)
{
    const struct sheaf_heap_node *at = &heap->nodes[node];
    return node ? (struct sheaf_heap_block){at->offset, at->asked, at->label}
                : (struct sheaf_heap_block){0};
}

struct sheaf_heap_block sheaf_heap_at(const struct sheaf_heap *heap, size_t offset)
{
    return block_at(heap, sheaf_heap_hash_find(heap, offset));
}

/* Two holes are never neighbours, so one step passes a hole. */
void sheaf_heap_neighbours(const struct sheaf_heap *heap, size_t offset, struct sheaf_heap_block *before,
                           struct sheaf_heap_block *after)
{
    uint32_t node = sheaf_heap_floor(heap, offset);
    uint32_t next = node ? heap->nodes[node].next : 0;
    if (is_hole(heap, node))
        node = heap->nodes[node].prev;
    if (is_hole(heap, next))
        next = heap->nodes[next].next;
    *before = block_at(heap, node);
    *after = block_at(heap, next);
}

void sheaf_heap_usage(const struct sheaf_heap *heap, struct sheaf_heap_usage *usage)
{
    *usage = (struct sheaf_heap_usage){.limit = heap->limit,
                                       .live = heap->live,
                                       .blocks = heap->blocks,
                                       .high_water = heap->high_water};
}

size_t sheaf_heap_live(const struct sheaf_heap *heap)
{
    return heap->live;
}

size_t sheaf_heap_high_water(const struct sheaf_heap *heap)
{
    return heap->high_water;
}
