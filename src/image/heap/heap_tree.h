/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The treap of all the heap's trees. Keys are in order from left to right, and no child has a higher
 * priority than its parent: so the depth is logarithmic for any order of calls. heap_index.c and
 * heap_fit.c define the keys and the summary of a subtree.
 */
#ifndef SHEAF_IMAGE_HEAP_HEAP_TREE_H
#define SHEAF_IMAGE_HEAP_HEAP_TREE_H

#include "image/heap/heap_internal.h"

static inline struct sheaf_heap_links *tree_links(const struct sheaf_heap *heap, uint32_t node,
                                                  enum sheaf_heap_tree tree)
{
    return &heap->nodes[node].links[tree];
}

/* Puts node (or 0) into the place of old below parent. */
static inline void tree_replace_child(struct sheaf_heap *heap, enum sheaf_heap_tree tree,
                                      uint32_t *root, uint32_t parent, uint32_t old, uint32_t node)
{
    if (parent) {
        struct sheaf_heap_links *above = tree_links(heap, parent, tree);
        above->child[above->child[1] == old] = node;
    } else {
        *root = node;
    }
    if (node)
        tree_links(heap, node, tree)->parent = parent;
}

/* Exchanges a node and its parent; the keys stay in order. */
static inline void tree_rotate_up(struct sheaf_heap *heap, enum sheaf_heap_tree tree,
                                  uint32_t *root, uint32_t node)
{
    uint32_t parent = tree_links(heap, node, tree)->parent;
    struct sheaf_heap_links *at = tree_links(heap, node, tree);
    struct sheaf_heap_links *above = tree_links(heap, parent, tree);
    int side = above->child[1] == node;
    uint32_t inner = at->child[!side];
    tree_replace_child(heap, tree, root, above->parent, parent, node);
    above->child[side] = inner;
    if (inner)
        tree_links(heap, inner, tree)->parent = parent;
    at->child[!side] = parent;
    above->parent = node;
}

static inline void tree_attach(struct sheaf_heap *heap, enum sheaf_heap_tree tree,
                               uint32_t *root, uint32_t node, uint32_t parent, int side)
{
    *tree_links(heap, node, tree) = (struct sheaf_heap_links){.parent = parent};
    if (parent)
        tree_links(heap, parent, tree)->child[side] = node;
    else
        *root = node;
}

/* Whether a node that was just attached must rise further. */
static inline bool tree_outranks_parent(const struct sheaf_heap *heap, enum sheaf_heap_tree tree,
                                        uint32_t node)
{
    uint32_t parent = tree_links(heap, node, tree)->parent;
    return parent && heap->nodes[parent].priority < heap->nodes[node].priority;
}

/* Sinks a node below its children and removes it. Returns its last parent. */
static inline uint32_t tree_detach(struct sheaf_heap *heap, enum sheaf_heap_tree tree,
                                   uint32_t *root, uint32_t node)
{
    const struct sheaf_heap_links *at = tree_links(heap, node, tree);
    while (at->child[0] && at->child[1]) {
        uint32_t lower = at->child[0], upper = at->child[1];
        bool rises = heap->nodes[upper].priority > heap->nodes[lower].priority;
        tree_rotate_up(heap, tree, root, rises ? upper : lower);
    }
    uint32_t parent = at->parent;
    tree_replace_child(heap, tree, root, parent, node, at->child[0] ? at->child[0] : at->child[1]);
    return parent;
}

#endif
