/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which hole to use: of those that are large enough the one of lowest cost, where
 *     cost = offset + (span << weight)
 * Weight 0 would be first fit by address, a very large one best fit. In between, a hole may be
 * larger than the best fit if it lies lower, which drains the top. The best factor is about the
 * number of blocks, so weight follows that; tests/heap/fragmentation.c measures the outcome.
 * The fit tree is in order of span, and each hole knows the cheapest hole at or below itself.
 */
#include "image/heap_tree.h"

#define WEIGHT_MIN    4
#define WEIGHT_MAX    14
#define ALIGNED_TRIES 32 /* holes looked at that may or may not hold an aligned block */

static inline struct sheaf_heap_links *links(const struct sheaf_heap *heap, uint32_t hole)
{
    return tree_links(heap, hole, SHEAF_HEAP_BY_FIT);
}

static inline uint64_t cost(const struct sheaf_heap *heap, uint32_t hole)
{
    const struct sheaf_heap_node *node = &heap->nodes[hole];
    return node->offset + ((uint64_t)node->span << heap->weight);
}

struct summary {
    uint64_t least;
    uint32_t best;
};

/* The cheapest hole at or below this one. Of equal costs the smallest span wins, so that the
 * answer does not depend on the shape of the tree. */
static inline struct summary summary_of(const struct sheaf_heap *heap, uint32_t hole)
{
    const struct sheaf_heap_links *at = links(heap, hole);
    const struct sheaf_heap_node *lower = &heap->nodes[at->child[0]];
    const struct sheaf_heap_node *upper = &heap->nodes[at->child[1]];
    struct summary summary = {cost(heap, hole), hole};
    if (at->child[0] && lower->least <= summary.least)
        summary = (struct summary){lower->least, lower->best};
    if (at->child[1] && upper->least < summary.least)
        summary = (struct summary){upper->least, upper->best};
    return summary;
}

static inline void set_summary(struct sheaf_heap *heap, uint32_t hole, struct summary summary)
{
    heap->nodes[hole].least = summary.least;
    heap->nodes[hole].best = summary.best;
}

static inline void summarize(struct sheaf_heap *heap, uint32_t hole)
{
    set_summary(heap, hole, summary_of(heap, hole));
}

static bool is_summarized(const struct sheaf_heap *heap, uint32_t hole)
{
    struct summary summary = summary_of(heap, hole);
    return heap->nodes[hole].least == summary.least && heap->nodes[hole].best == summary.best;
}

static inline bool comes_before(const struct sheaf_heap_node *a, const struct sheaf_heap_node *b)
{
    return a->span < b->span || (a->span == b->span && a->offset < b->offset);
}

/* Whether the new hole takes the place of the cheapest that this node knows. */
static inline bool is_cheaper(const struct sheaf_heap *heap, uint32_t hole, uint64_t least,
                              const struct sheaf_heap_node *node)
{
    return least < node->least ||
           (least == node->least && comes_before(&heap->nodes[hole], &heap->nodes[node->best]));
}

void sheaf_heap_fit_insert(struct sheaf_heap *heap, uint32_t hole)
{
    uint32_t parent = 0, at = heap->roots[SHEAF_HEAP_BY_FIT];
    struct summary own = {cost(heap, hole), hole};
    int side = 0;
    while (at) {
        if (is_cheaper(heap, hole, own.least, &heap->nodes[at]))
            set_summary(heap, at, own);
        side = comes_before(&heap->nodes[at], &heap->nodes[hole]);
        parent = at;
        at = links(heap, at)->child[side];
    }
    tree_attach(heap, SHEAF_HEAP_BY_FIT, hole, parent, side);
    set_summary(heap, hole, own);
    while (tree_outranks_parent(heap, SHEAF_HEAP_BY_FIT, hole)) {
        uint32_t sinks = links(heap, hole)->parent;
        struct summary all = {heap->nodes[sinks].least, heap->nodes[sinks].best};
        tree_rotate_up(heap, SHEAF_HEAP_BY_FIT, hole);
        set_summary(heap, hole, all);
        summarize(heap, sinks);
    }
}

void sheaf_heap_fit_remove(struct sheaf_heap *heap, uint32_t hole)
{
    uint32_t above = links(heap, hole)->parent;
    uint32_t at = tree_detach(heap, SHEAF_HEAP_BY_FIT, hole);
    for (; at != above; at = links(heap, at)->parent)
        summarize(heap, at);
    for (; at && heap->nodes[at].best == hole; at = links(heap, at)->parent)
        summarize(heap, at);
}

/* The cheapest hole of at least this span. */
static uint32_t cheapest(const struct sheaf_heap *heap, size_t span)
{
    uint32_t at = heap->roots[SHEAF_HEAP_BY_FIT], best = 0;
    uint64_t least = UINT64_MAX;
    while (at) {
        const struct sheaf_heap_node *node = &heap->nodes[at];
        const struct sheaf_heap_links *here = links(heap, at);
        if (node->span < span) {
            at = here->child[1];
            continue;
        }
        const struct sheaf_heap_node *upper = &heap->nodes[here->child[1]];
        if (here->child[1] && upper->least < least) {
            least = upper->least;
            best = upper->best;
        }
        if (cost(heap, at) <= least) {
            least = cost(heap, at);
            best = at;
        }
        at = here->child[0];
    }
    return best;
}

/* The smallest hole of at least this span. */
static uint32_t smallest(const struct sheaf_heap *heap, size_t span)
{
    uint32_t at = heap->roots[SHEAF_HEAP_BY_FIT], found = 0;
    while (at) {
        bool fits = heap->nodes[at].span >= span;
        if (fits)
            found = at;
        at = links(heap, at)->child[!fits];
    }
    return found;
}

/* The next hole in order of span. */
static uint32_t successor(const struct sheaf_heap *heap, uint32_t hole)
{
    uint32_t at = links(heap, hole)->child[1];
    if (at) {
        while (links(heap, at)->child[0])
            at = links(heap, at)->child[0];
        return at;
    }
    at = links(heap, hole)->parent;
    while (at && links(heap, at)->child[1] == hole) {
        hole = at;
        at = links(heap, at)->parent;
    }
    return at;
}

static bool holds(const struct sheaf_heap *heap, uint32_t hole, size_t span, size_t alignment)
{
    size_t gap = sheaf_heap_gap(heap->nodes[hole].offset, alignment);
    return gap <= heap->nodes[hole].span - span;
}

/* A hole of span + alignment certainly holds the block; one of span does if it lies well. Both
 * kinds compete, of the latter only the first few. */
static uint32_t cheapest_aligned(const struct sheaf_heap *heap, size_t span, size_t alignment)
{
    uint32_t best = cheapest(heap, span + alignment - SHEAF_HEAP_ALIGNMENT);
    uint32_t at = smallest(heap, span);
    for (int tries = 0; at && tries < ALIGNED_TRIES; tries++) {
        if (holds(heap, at, span, alignment) && (!best || cost(heap, at) < cost(heap, best)))
            best = at;
        at = successor(heap, at);
    }
    return best;
}

uint32_t sheaf_heap_fit_find(const struct sheaf_heap *heap, size_t span, size_t alignment)
{
    uint32_t hole = cheapest(heap, span);
    if (!hole || holds(heap, hole, span, alignment))
        return hole;
    return cheapest_aligned(heap, span, alignment);
}

/* As deep as the tree, which is logarithmic. */
static void summarize_all(struct sheaf_heap *heap, uint32_t hole)
{
    if (!hole)
        return;
    summarize_all(heap, links(heap, hole)->child[0]);
    summarize_all(heap, links(heap, hole)->child[1]);
    summarize(heap, hole);
}

void sheaf_heap_fit_weigh(struct sheaf_heap *heap)
{
    unsigned wanted = heap->blocks ? 63 - (unsigned)__builtin_clzll(heap->blocks) : 0;
    wanted = wanted < WEIGHT_MIN ? WEIGHT_MIN : wanted > WEIGHT_MAX ? WEIGHT_MAX : wanted;
    bool near = wanted <= heap->weight + 1 && heap->weight <= wanted + 1;
    if (near)
        return;
    heap->weight = wanted;
    summarize_all(heap, heap->roots[SHEAF_HEAP_BY_FIT]);
}

static bool part_is_sound(const struct sheaf_heap *heap, uint32_t hole)
{
    if (!hole)
        return true;
    const struct sheaf_heap_links *here = links(heap, hole);
    return !heap->nodes[hole].used && is_summarized(heap, hole) &&
           part_is_sound(heap, here->child[0]) && part_is_sound(heap, here->child[1]);
}

bool sheaf_heap_fit_is_sound(const struct sheaf_heap *heap)
{
    return part_is_sound(heap, heap->roots[SHEAF_HEAP_BY_FIT]);
}
