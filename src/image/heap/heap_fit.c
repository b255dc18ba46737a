/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses the large enough hole of lowest cost:
 *     cost = offset + (span << weight).
 * Weight 0 would be first fit by address, a very large one best fit. In between, a hole may be larger
 * than the best fit if it lies lower, so that the top of the heap empties. The best factor is about the
 * number of blocks, so the weight follows that number. High water / live bytes, blocks of 16 B to 1 MiB:
 *     11,000 blocks:              1.20 with factor 128, 1.16 with 1,024, 1.11 with 4,096
 *     700 blocks, on average:     1.17 with factor 512, 1.21 first fit, 1.27 best fit
 * tests/heap/fragmentation.c measures the allocator as it is built. Holes of similar span are in one
 * tree, in order of span, and each hole knows the cheapest hole at or below itself. An array of minima
 * covers the trees, so the cheapest hole from a class of spans on is found in a fixed number of steps.
 */
#include "image/heap/heap_tree.h"

#define WEIGHT_MIN    4
#define WEIGHT_MAX    14
#define CLASS_BITS    3 /* log2 of the classes in each doubling of span */
#define ALIGNED_TRIES 32 /* most holes checked for an aligned block */

static inline struct sheaf_heap_links *fit_links(const struct sheaf_heap *heap, uint32_t hole)
{
    return tree_links(heap, hole, SHEAF_HEAP_BY_FIT);
}

static inline uint64_t hole_cost(const struct sheaf_heap *heap, uint32_t hole)
{
    const struct sheaf_heap_node *node = &heap->nodes[hole];
    return node->offset + ((uint64_t)node->span << heap->weight);
}

struct summary {
    uint64_t least;
    uint32_t best;
};

/* The cheapest hole at or below this one. Of equal costs the smallest span wins, so that the result does
 * not depend on the shape of the tree. */
static inline struct summary summary_of(const struct sheaf_heap *heap, uint32_t hole)
{
    const struct sheaf_heap_links *at = fit_links(heap, hole);
    const struct sheaf_heap_node *lower = &heap->nodes[at->child[0]];
    const struct sheaf_heap_node *upper = &heap->nodes[at->child[1]];
    struct summary summary = {hole_cost(heap, hole), hole};
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

static inline void summarize_hole(struct sheaf_heap *heap, uint32_t hole)
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

/* Whether the new hole is cheaper than the cheapest hole that this node knows. */
static inline bool is_cheaper(const struct sheaf_heap *heap, uint32_t hole, uint64_t least,
                              const struct sheaf_heap_node *node)
{
    return least < node->least ||
           (least == node->least && comes_before(&heap->nodes[hole], &heap->nodes[node->best]));
}

/* The class of a span: the smallest spans have one each, then each doubling has 8. */
static inline unsigned span_class(size_t span)
{
    size_t units = span / SHEAF_HEAP_ALIGNMENT;
    unsigned doubling = 63 - (unsigned)__builtin_clzll(units | 1);
    if (doubling < CLASS_BITS)
        return (unsigned)units;
    unsigned shift = doubling - CLASS_BITS;
    return ((shift + 1) << CLASS_BITS) + (unsigned)(units >> shift) - (1u << CLASS_BITS);
}
_Static_assert(47 - 4 - CLASS_BITS + 2 <= SHEAF_HEAP_CLASSES >> CLASS_BITS,
               "the largest span has a class");

static inline uint64_t least_of(const struct sheaf_heap *heap, unsigned class)
{
    uint32_t root = heap->by_fit[class];
    return root ? heap->nodes[root].least : UINT64_MAX;
}

static inline uint64_t lower_cost(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Carries a change of one class's least cost up to the minima above it. */
static void update_least(struct sheaf_heap *heap, unsigned class)
{
    unsigned at = SHEAF_HEAP_CLASSES + class;
    uint64_t least = least_of(heap, class);
    while (at > 0 && heap->least[at] != least) {
        heap->least[at] = least;
        least = lower_cost(least, heap->least[at ^ 1]);
        at /= 2;
    }
}

void sheaf_heap_fit_init(struct sheaf_heap *heap)
{
    heap->weight = WEIGHT_MIN;
    for (unsigned at = 0; at < 2 * SHEAF_HEAP_CLASSES; at++)
        heap->least[at] = UINT64_MAX;
}

void sheaf_heap_fit_insert(struct sheaf_heap *heap, uint32_t hole)
{
    unsigned class = span_class(heap->nodes[hole].span);
    uint32_t *root = &heap->by_fit[class];
    uint32_t parent = 0, at = *root;
    struct summary own = {hole_cost(heap, hole), hole};
    int side = 0;
    while (at) {
        if (is_cheaper(heap, hole, own.least, &heap->nodes[at]))
            set_summary(heap, at, own);
        side = comes_before(&heap->nodes[at], &heap->nodes[hole]);
        parent = at;
        at = fit_links(heap, at)->child[side];
    }
    tree_attach(heap, SHEAF_HEAP_BY_FIT, root, hole, parent, side);
    set_summary(heap, hole, own);
    while (tree_outranks_parent(heap, SHEAF_HEAP_BY_FIT, hole)) {
        uint32_t sinks = fit_links(heap, hole)->parent;
        struct summary all = {heap->nodes[sinks].least, heap->nodes[sinks].best};
        tree_rotate_up(heap, SHEAF_HEAP_BY_FIT, root, hole);
        set_summary(heap, hole, all);
        summarize_hole(heap, sinks);
    }
    update_least(heap, class);
}

void sheaf_heap_fit_remove(struct sheaf_heap *heap, uint32_t hole)
{
    unsigned class = span_class(heap->nodes[hole].span);
    uint32_t above = fit_links(heap, hole)->parent;
    uint32_t at = tree_detach(heap, SHEAF_HEAP_BY_FIT, &heap->by_fit[class], hole);
    for (; at != above; at = fit_links(heap, at)->parent)
        summarize_hole(heap, at);
    for (; at && heap->nodes[at].best == hole; at = fit_links(heap, at)->parent)
        summarize_hole(heap, at);
    update_least(heap, class);
}

/* The cheapest hole of at least this span in the span's own class. */
static struct summary cheapest_in_class(const struct sheaf_heap *heap, size_t span)
{
    struct summary found = {UINT64_MAX, 0};
    uint32_t at = heap->by_fit[span_class(span)];
    while (at) {
        const struct sheaf_heap_links *here = fit_links(heap, at);
        if (heap->nodes[at].span < span) {
            at = here->child[1];
            continue;
        }
        const struct sheaf_heap_node *upper = &heap->nodes[here->child[1]];
        if (here->child[1] && upper->least < found.least)
            found = (struct summary){upper->least, upper->best};
        if (hole_cost(heap, at) <= found.least)
            found = (struct summary){hole_cost(heap, at), at};
        at = here->child[0];
    }
    return found;
}

/* The cheapest hole of a higher class than this one. The way up visits every right neighbour; the way down
 * follows the lowest of them to its class. */
static struct summary cheapest_above(const struct sheaf_heap *heap, unsigned class)
{
    unsigned from = 1;
    uint64_t least = UINT64_MAX;
    for (unsigned at = SHEAF_HEAP_CLASSES + class; at > 1; at /= 2)
        if ((at & 1) == 0 && heap->least[at + 1] < least) {
            least = heap->least[at + 1];
            from = at + 1;
        }
    if (least == UINT64_MAX)
        return (struct summary){UINT64_MAX, 0};
    while (from < SHEAF_HEAP_CLASSES)
        from = 2 * from + (heap->least[2 * from] != least);
    return (struct summary){least, heap->nodes[heap->by_fit[from - SHEAF_HEAP_CLASSES]].best};
}

static uint32_t cheapest_hole(const struct sheaf_heap *heap, size_t span)
{
    struct summary near = cheapest_in_class(heap, span);
    struct summary far = cheapest_above(heap, span_class(span));
    return near.best && near.least <= far.least ? near.best : far.best;
}

/* The smallest hole of this class with at least this span. */
static uint32_t smallest_hole(const struct sheaf_heap *heap, unsigned class, size_t span)
{
    uint32_t at = heap->by_fit[class], found = 0;
    while (at) {
        bool fits = heap->nodes[at].span >= span;
        if (fits)
            found = at;
        at = fit_links(heap, at)->child[!fits];
    }
    return found;
}

/* The next hole of the same class in order of span. */
static uint32_t next_hole(const struct sheaf_heap *heap, uint32_t hole)
{
    uint32_t at = fit_links(heap, hole)->child[1];
    if (at) {
        while (fit_links(heap, at)->child[0])
            at = fit_links(heap, at)->child[0];
        return at;
    }
    at = fit_links(heap, hole)->parent;
    while (at && fit_links(heap, at)->child[1] == hole) {
        hole = at;
        at = fit_links(heap, at)->parent;
    }
    return at;
}

static bool hole_holds(const struct sheaf_heap *heap, uint32_t hole, size_t span, size_t alignment)
{
    size_t gap = sheaf_heap_gap(heap->nodes[hole].offset, alignment);
    return gap <= heap->nodes[hole].span - span;
}

/* The cheapest of best and of the holes whose offset happens to suit the alignment. */
static uint32_t cheapest_aligned(const struct sheaf_heap *heap, size_t span, size_t alignment,
                                 uint32_t best)
{
    size_t surely = span + alignment - SHEAF_HEAP_ALIGNMENT;
    unsigned last = span_class(surely < heap->usable ? surely : heap->usable);
    int tries = 0;
    for (unsigned class = span_class(span); class <= last; class++) {
        uint32_t at = smallest_hole(heap, class, span);
        for (; at && tries < ALIGNED_TRIES; at = next_hole(heap, at), tries++)
            if (hole_holds(heap, at, span, alignment) && (!best || hole_cost(heap, at) < hole_cost(heap,
                                                                                                   best)))
                best = at;
    }
    return best;
}

/* A hole of span + alignment always holds the block; a smaller one may. Of the smaller ones only the first
 * ALIGNED_TRIES are checked. */
uint32_t sheaf_heap_fit_find(const struct sheaf_heap *heap, size_t span, size_t alignment)
{
    uint32_t hole = cheapest_hole(heap, span);
    if (!hole || hole_holds(heap, hole, span, alignment))
        return hole;
    size_t surely = span + alignment - SHEAF_HEAP_ALIGNMENT;
    hole = surely <= heap->usable ? cheapest_hole(heap, surely) : 0;
    return cheapest_aligned(heap, span, alignment, hole);
}

/* Recurses as deep as the tree, which is logarithmic. */
static void summarize_all(struct sheaf_heap *heap, uint32_t hole)
{
    if (!hole)
        return;
    summarize_all(heap, fit_links(heap, hole)->child[0]);
    summarize_all(heap, fit_links(heap, hole)->child[1]);
    summarize_hole(heap, hole);
}

static void set_weight(struct sheaf_heap *heap, unsigned weight)
{
    heap->weight = weight;
    for (unsigned class = 0; class < SHEAF_HEAP_CLASSES; class++) {
        summarize_all(heap, heap->by_fit[class]);
        update_least(heap, class);
    }
}

static unsigned wanted_weight(const struct sheaf_heap *heap)
{
    unsigned wanted = heap->blocks ? 63 - (unsigned)__builtin_clzll(heap->blocks) : 0;
    return wanted < WEIGHT_MIN ? WEIGHT_MIN : wanted > WEIGHT_MAX ? WEIGHT_MAX : wanted;
}

/* Keeps a weight that is one step off. A number of blocks that alternates around a power of two would
 * otherwise summarize all holes at each call. So the weight depends on earlier calls until the heap is
 * settled. */
void sheaf_heap_fit_weigh(struct sheaf_heap *heap)
{
    unsigned wanted = wanted_weight(heap);
    bool near = wanted <= heap->weight + 1 && heap->weight <= wanted + 1;
    if (!near)
        set_weight(heap, wanted);
}

void sheaf_heap_settle(struct sheaf_heap *heap)
{
    if (heap->weight != wanted_weight(heap))
        set_weight(heap, wanted_weight(heap));
}

struct walk {
    uint32_t before; /* the hole just passed */
    size_t count;
};

/* Ends even in a broken tree: a hole has one parent, so none is visited twice. */
static bool fit_tree_is_sound(const struct sheaf_heap *heap, unsigned class, uint32_t hole,
                              uint32_t parent, struct walk *walk)
{
    if (!hole)
        return true;
    const struct sheaf_heap_links *here = fit_links(heap, hole);
    const struct sheaf_heap_node *node = &heap->nodes[hole];
    if (node->used || span_class(node->span) != class || here->parent != parent ||
        tree_outranks_parent(heap, SHEAF_HEAP_BY_FIT, hole) || !is_summarized(heap, hole) ||
        !fit_tree_is_sound(heap, class, here->child[0], hole, walk))
        return false;
    if (walk->before && !comes_before(&heap->nodes[walk->before], node))
        return false;
    walk->before = hole;
    walk->count++;
    return fit_tree_is_sound(heap, class, here->child[1], hole, walk);
}

bool sheaf_heap_fit_is_sound(const struct sheaf_heap *heap, size_t holes)
{
    struct walk walk = {0, 0};
    for (unsigned class = 0; class < SHEAF_HEAP_CLASSES; class++)
        if (!fit_tree_is_sound(heap, class, heap->by_fit[class], 0, &walk) ||
            heap->least[SHEAF_HEAP_CLASSES + class] != least_of(heap, class))
            return false;
    for (unsigned at = 1; at < SHEAF_HEAP_CLASSES; at++)
        if (heap->least[at] != lower_cost(heap->least[2 * at], heap->least[2 * at + 1]))
            return false;
    return walk.count == holes;
}
