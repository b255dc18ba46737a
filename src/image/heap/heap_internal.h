/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the files of the heap: heap.c (operations), heap_index.c (nodes, list, hash table),
 * heap_fit.c (choice of a hole), heap_sound.c (the check of all). Every byte below the heap's top belongs
 * to one node: a block or a hole. A node is in the list of neighbours and in the address tree. A block is
 * also in the hash table, a hole also in a fit tree. Nodes are named by their index, 0 for none, so
 * nothing depends on where private memory lies.
 */
#ifndef SHEAF_IMAGE_HEAP_HEAP_INTERNAL_H
#define SHEAF_IMAGE_HEAP_HEAP_INTERNAL_H

#include "image/heap/heap.h"

#include <stdint.h>

/* More than any supported processor's address space; costs (see below) still fit 64 bits. */
#define SHEAF_HEAP_LIMIT ((size_t)1 << 47)

/* The trees that a node is in. They are treaps: keys in order, parents of higher priority than their
 * children. */
enum sheaf_heap_tree {
    SHEAF_HEAP_BY_ADDRESS, /* one tree of all nodes, key offset */
    SHEAF_HEAP_BY_FIT,     /* holes of similar span, key (span, offset); see heap_fit.c */
    SHEAF_HEAP_TREES
};

/* Enough for 8 classes of span in each doubling up to SHEAF_HEAP_LIMIT; a power of two. */
#define SHEAF_HEAP_CLASSES 512

struct sheaf_heap_links {
    uint32_t parent;
    uint32_t child[2];
};

/* One cache line. Neighbours touch: nodes[next].offset == offset + span, and next != 0 for every
 * hole, because a hole at the top becomes untouched space. */
struct sheaf_heap_node {
    size_t offset;
    size_t span;            /* bytes, a multiple of SHEAF_HEAP_ALIGNMENT */
    union {
        size_t asked;       /* block: size that the caller asked for, rounded up to span */
        uint64_t least;     /* hole: the lowest cost in its subtree of a fit tree ... */
    };
    uint32_t best;          /* ... and the hole that has it */
    uint32_t used : 1;
    uint32_t priority : 31;
    uint32_t prev, next;    /* neighbours by address; next also links spare nodes */
    union {
        struct sheaf_heap_links links[SHEAF_HEAP_TREES];
        struct {
            struct sheaf_heap_links by_address;
            uint32_t chain; /* block: next in its hash bucket */
            uint64_t label; /* block: the caller's */
        };
    };
};
_Static_assert(sizeof(struct sheaf_heap_node) == 64, "one node, one cache line");

struct sheaf_heap {
    size_t limit;            /* as given */
    size_t usable;           /* limit, rounded down to whole blocks and SHEAF_HEAP_LIMIT */
    size_t top;              /* end of the last block; from here to usable is untouched space */
    size_t high_water;
    size_t live, blocks;
    struct sheaf_heap_node *nodes;
    uint32_t *buckets;       /* as many as nodes */
    uint32_t capacity;       /* nodes, a power of two */
    uint32_t spare, spares;  /* list of unused nodes, and its length */
    uint32_t last;           /* the block that ends at top */
    uint32_t by_address;     /* root */
    unsigned weight;         /* log2 of the cost of a byte of span relative to a byte of offset */
    uint64_t random;         /* state of the priorities' generator */
    uint32_t by_fit[SHEAF_HEAP_CLASSES]; /* roots of the fit trees */
    /* From [SHEAF_HEAP_CLASSES] on: the lowest cost in each class, UINT64_MAX where it has no hole. Before
     * that: least[i] = min(least[2 i], least[2 i + 1]). */
    uint64_t least[2 * SHEAF_HEAP_CLASSES];
};

/* Makes sure that count nodes can be created. False when private memory is exhausted. */
bool sheaf_heap_reserve(struct sheaf_heap *heap, uint32_t count);

/* Makes a hole after prev (0: the heap is empty), not yet in a fit tree. The node must be reserved. */
uint32_t sheaf_heap_insert(struct sheaf_heap *heap, uint32_t prev, size_t offset, size_t span);
/* Frees a node that is in neither the hash table nor a fit tree. */
void sheaf_heap_remove(struct sheaf_heap *heap, uint32_t node);

/* The node with the greatest offset not above this one; 0 when there is none. */
uint32_t sheaf_heap_floor(const struct sheaf_heap *heap, size_t offset);

void sheaf_heap_hash_insert(struct sheaf_heap *heap, uint32_t block);
void sheaf_heap_hash_remove(struct sheaf_heap *heap, uint32_t block);
/* The block that begins at offset; 0 when there is none. */
uint32_t sheaf_heap_hash_find(const struct sheaf_heap *heap, size_t offset);

/* Empties the fit trees. */
void sheaf_heap_fit_init(struct sheaf_heap *heap);
/* A hole leaves its fit tree before its offset or span changes and returns afterwards. */
void sheaf_heap_fit_insert(struct sheaf_heap *heap, uint32_t hole);
void sheaf_heap_fit_remove(struct sheaf_heap *heap, uint32_t hole);
/* The hole of lowest cost that holds span bytes at this alignment; 0: none was found. */
uint32_t sheaf_heap_fit_find(const struct sheaf_heap *heap, size_t span, size_t alignment);
/* Sets the weight for the present number of blocks. */
void sheaf_heap_fit_weigh(struct sheaf_heap *heap);

/* Whether the fit trees are in order, hold so many holes, and know the cheapest holes. */
bool sheaf_heap_fit_is_sound(const struct sheaf_heap *heap, size_t holes);

/* Bytes from the start of a hole to the first multiple of alignment. */
static inline size_t sheaf_heap_gap(size_t offset, size_t alignment)
{
    return (0 - offset) & (alignment - 1);
}

#endif
