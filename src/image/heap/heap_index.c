/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The heap's bookkeeping except the choice of a hole: nodes, the list of neighbours with the address tree
 * over it, and the hash table of blocks.
 */
#include "image/heap/heap_tree.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 64
#define LAST_CAPACITY  ((uint32_t)1 << 31)

/* --- nodes ---------------------------------------------------------------------------------- */

static void add_spares(struct sheaf_heap *heap, uint32_t from, uint32_t to)
{
    for (uint32_t node = to; node-- > from;) {
        heap->nodes[node].used = 0;
        heap->nodes[node].next = heap->spare;
        heap->spare = node;
    }
    heap->spares += to - from;
}

static bool grow_nodes(struct sheaf_heap *heap)
{
    uint32_t before = heap->capacity;
    if (before >= LAST_CAPACITY)
        return false;
    uint32_t capacity = before ? 2 * before : FIRST_CAPACITY;
    struct sheaf_heap_node *nodes = aligned_alloc(sizeof *nodes, (size_t)capacity * sizeof *nodes);
    uint32_t *buckets = calloc(capacity, sizeof *buckets);
    if (!nodes || !buckets) {
        free(nodes);
        free(buckets);
        return false;
    }
    if (before)
        memcpy(nodes, heap->nodes, (size_t)before * sizeof *nodes);
    else
        memset(nodes, 0, sizeof *nodes);
    free(heap->nodes);
    free(heap->buckets);
    heap->nodes = nodes;
    heap->buckets = buckets;
    heap->capacity = capacity;
    for (uint32_t node = 1; node < before; node++)
        if (nodes[node].used)
            sheaf_heap_hash_insert(heap, node);
    add_spares(heap, before ? before : 1, capacity);
    return true;
}

bool sheaf_heap_reserve(struct sheaf_heap *heap, uint32_t count)
{
    return heap->spares >= count || grow_nodes(heap);
}

static uint32_t next_priority(struct sheaf_heap *heap)
{
    uint64_t x = heap->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    heap->random = x;
    return (uint32_t)(x >> 33);
}

/* --- address tree and list ------------------------------------------------------------------ */

/* The neighbour gives the place in the tree, so there is no search: expected constant time. */
static void address_insert(struct sheaf_heap *heap, uint32_t node, uint32_t prev, uint32_t next)
{
    if (prev && !tree_links(heap, prev, SHEAF_HEAP_BY_ADDRESS)->child[1])
        tree_attach(heap, SHEAF_HEAP_BY_ADDRESS, &heap->by_address, node, prev, 1);
    else
        tree_attach(heap, SHEAF_HEAP_BY_ADDRESS, &heap->by_address, node, next, 0);
    while (tree_outranks_parent(heap, SHEAF_HEAP_BY_ADDRESS, node))
        tree_rotate_up(heap, SHEAF_HEAP_BY_ADDRESS, &heap->by_address, node);
}

uint32_t sheaf_heap_insert(struct sheaf_heap *heap, uint32_t prev, size_t offset, size_t span)
{
    uint32_t node = heap->spare;
    heap->spare = heap->nodes[node].next;
    heap->spares--;
    uint32_t next = prev ? heap->nodes[prev].next : 0;
    heap->nodes[node] = (struct sheaf_heap_node){
        .offset = offset,
        .span = span,
        .priority = next_priority(heap),
        .prev = prev,
        .next = next,
    };
    if (prev)
        heap->nodes[prev].next = node;
    if (next)
        heap->nodes[next].prev = node;
    address_insert(heap, node, prev, next);
    return node;
}

void sheaf_heap_remove(struct sheaf_heap *heap, uint32_t node)
{
    uint32_t prev = heap->nodes[node].prev, next = heap->nodes[node].next;
    tree_detach(heap, SHEAF_HEAP_BY_ADDRESS, &heap->by_address, node);
    if (prev)
        heap->nodes[prev].next = next;
    if (next)
        heap->nodes[next].prev = prev;
    add_spares(heap, node, node + 1);
}

uint32_t sheaf_heap_floor(const struct sheaf_heap *heap, size_t offset)
{
    uint32_t node = heap->by_address, floor = 0;
    while (node) {
        bool above = heap->nodes[node].offset <= offset;
        if (above)
            floor = node;
        node = tree_links(heap, node, SHEAF_HEAP_BY_ADDRESS)->child[above];
    }
    return floor;
}

/* --- hash table of blocks ------------------------------------------------------------------- */

static inline uint32_t *block_bucket(const struct sheaf_heap *heap, size_t offset)
{
    uint64_t mixed = (uint64_t)(offset / SHEAF_HEAP_ALIGNMENT) * UINT64_C(0x9e3779b97f4a7c15);
    return &heap->buckets[(mixed >> 32) & (heap->capacity - 1)];
}

void sheaf_heap_hash_insert(struct sheaf_heap *heap, uint32_t block)
{
    uint32_t *head = block_bucket(heap, heap->nodes[block].offset);
    heap->nodes[block].chain = *head;
    *head = block;
}

void sheaf_heap_hash_remove(struct sheaf_heap *heap, uint32_t block)
{
    uint32_t *at = block_bucket(heap, heap->nodes[block].offset);
    while (*at != block)
        at = &heap->nodes[*at].chain;
    *at = heap->nodes[block].chain;
}

uint32_t sheaf_heap_hash_find(const struct sheaf_heap *heap, size_t offset)
{
    uint32_t block = *block_bucket(heap, offset);
    while (block && heap->nodes[block].offset != offset)
        block = heap->nodes[block].chain;
    return block;
}
