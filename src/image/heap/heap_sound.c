/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The check of the whole heap, for tests and the debug level. It walks every structure and compares each
 * with the others. The number of nodes bounds every walk, even in a broken heap.
 */
#include "image/heap/heap_tree.h"

struct tally {
    size_t nodes, blocks, holes;
    size_t live;
    size_t end; /* of the last node seen */
};

static bool block_is_sound(const struct sheaf_heap *heap, uint32_t at)
{
    const struct sheaf_heap_node *node = &heap->nodes[at];
    bool fits = node->asked > 0 && node->asked <= node->span &&
                node->span - node->asked < SHEAF_HEAP_ALIGNMENT;
    return fits && sheaf_heap_hash_find(heap, node->offset) == at;
}

/* Neighbours touch, and two holes never do. */
static bool node_is_sound(const struct sheaf_heap *heap, uint32_t at, uint32_t prev,
                          struct tally *tally)
{
    const struct sheaf_heap_node *node = &heap->nodes[at];
    if (node->prev != prev || node->offset != tally->end || node->span == 0 ||
        node->span % SHEAF_HEAP_ALIGNMENT != 0 || node->span > heap->usable - node->offset)
        return false;
    tally->end += node->span;
    tally->nodes++;
    if (!node->used) {
        tally->holes++;
        return node->next != 0 && (!prev || heap->nodes[prev].used);
    }
    tally->blocks++;
    tally->live += node->asked;
    return block_is_sound(heap, at);
}

static uint32_t lowest_node(const struct sheaf_heap *heap)
{
    uint32_t at = heap->by_address;
    for (uint32_t steps = 0; at && steps < heap->capacity; steps++) {
        uint32_t lower = tree_links(heap, at, SHEAF_HEAP_BY_ADDRESS)->child[0];
        if (!lower)
            return at;
        at = lower;
    }
    return 0;
}

static bool neighbours_are_sound(const struct sheaf_heap *heap, struct tally *tally)
{
    uint32_t prev = 0, at = lowest_node(heap);
    for (; at; prev = at, at = heap->nodes[at].next)
        if (tally->nodes >= heap->capacity || !node_is_sound(heap, at, prev, tally))
            return false;
    return prev == heap->last && tally->end == heap->top && heap->top <= heap->high_water &&
           heap->high_water <= heap->usable && tally->live == heap->live &&
           tally->blocks == heap->blocks;
}

/* Checks the nodes at and below this one: they must follow the order of the list. Counts them and leaves
 * the last of them in *before. Ends even in a broken tree: a node has one parent, so none is visited
 * twice. */
static bool address_tree_is_sound(const struct sheaf_heap *heap, uint32_t at, uint32_t parent,
                                  uint32_t *before, size_t *count)
{
    if (!at)
        return true;
    const struct sheaf_heap_links *here = tree_links(heap, at, SHEAF_HEAP_BY_ADDRESS);
    if (here->parent != parent || tree_outranks_parent(heap, SHEAF_HEAP_BY_ADDRESS, at))
        return false;
    if (!address_tree_is_sound(heap, here->child[0], at, before, count))
        return false;
    if (heap->nodes[at].prev != *before)
        return false;
    *before = at;
    ++*count;
    return address_tree_is_sound(heap, here->child[1], at, before, count);
}

static bool addresses_are_sound(const struct sheaf_heap *heap, size_t nodes)
{
    uint32_t before = 0;
    size_t count = 0;
    return address_tree_is_sound(heap, heap->by_address, 0, &before, &count) && count == nodes &&
           before == heap->last;
}

/* Every block is looked up too: together that shows that the buckets hold the blocks and nothing else. */
static bool buckets_are_sound(const struct sheaf_heap *heap)
{
    size_t count = 0;
    for (uint32_t bucket = 0; bucket < heap->capacity; bucket++)
        for (uint32_t at = heap->buckets[bucket]; at; at = heap->nodes[at].chain)
            if (++count > heap->blocks || !heap->nodes[at].used)
                return false;
    return count == heap->blocks;
}

static bool spares_are_sound(const struct sheaf_heap *heap, size_t in_use)
{
    uint32_t count = 0;
    for (uint32_t at = heap->spare; at; at = heap->nodes[at].next)
        if (++count > heap->spares || heap->nodes[at].used)
            return false;
    return count == heap->spares && in_use + count + 1 == heap->capacity;
}

bool sheaf_heap_is_sound(const struct sheaf_heap *heap)
{
    struct tally tally = {0};
    return neighbours_are_sound(heap, &tally) && buckets_are_sound(heap) &&
           spares_are_sound(heap, tally.nodes) &&
           addresses_are_sound(heap, tally.nodes) && sheaf_heap_fit_is_sound(heap, tally.holes);
}
