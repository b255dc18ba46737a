/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Graph500's rules for a tree: it has no cycle; its edges lead from one level to the next; an edge of the
 * graph joins vertices of the same level or of neighbouring ones, or two that are not in the tree, so that
 * the tree spans what the root reaches; and the tree's edges are edges of the graph. Every PE gets all
 * parents, and judges its own edges and vertices.
 */
#include "app.h"
#include "tree.h"

#include <stdlib.h>

struct levels {
    long *parent; /* of all vertices */
    long *level;  /* -1: not in the tree, or not known yet */
};

static void collect(const struct tree *tree, long *parent)
{
    const struct lists *graph = tree->graph;
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        const long first = lists_first(graph, pe), count = lists_first(graph, pe + 1) - first;
        if (count > 0)
            shmem_long_get(parent + first, tree->parent, (size_t)count, pe);
    }
}

/* How far a vertex is from the next one upwards whose level is known, or -1 where that never comes. */
static long climb(const struct tree *tree, const struct levels *levels, long vertex, long *known)
{
    long steps = 0;
    while (levels->level[vertex] < 0) {
        const long parent = levels->parent[vertex];
        if (parent < 0 || parent >= tree->graph->rows || ++steps > tree->graph->rows)
            return -1;
        vertex = parent;
    }
    *known = levels->level[vertex];
    return steps;
}

/* Returns how many vertices have a parent, and do not come to the root by parents. */
static long find_levels(const struct tree *tree, struct levels *levels)
{
    const long vertices = tree->graph->rows;
    for (long v = 0; v < vertices; v++)
        levels->level[v] = -1;
    if (levels->parent[tree->root] != tree->root)
        return 1;
    levels->level[tree->root] = 0;
    for (long v = 0; v < vertices; v++) {
        long known;
        if (levels->parent[v] == NO_PARENT)
            continue;
        const long steps = climb(tree, levels, v, &known);
        if (steps < 0)
            return 1;
        for (long i = steps, at = v; i > 0; i--, at = levels->parent[at])
            levels->level[at] = known + i;
    }
    return 0;
}

/* Edges, as they were made, that join what they may not. */
static long count_bad_edges(const struct tree *tree, const struct levels *levels, long *edges)
{
    long bad = 0;
    for (const struct edge *edge = tree->edge; edge < tree->edge + tree->edges; edge++) {
        const long from = levels->level[edge->from], to = levels->level[edge->to];
        *edges += from >= 0 || to >= 0;
        bad += (from < 0) != (to < 0) || labs(from - to) > 1;
    }
    return bad;
}

/* My vertices whose parent is none of their neighbours. */
static long count_bad_parents(const struct tree *tree, const struct levels *levels)
{
    const struct lists *graph = tree->graph;
    const long first = lists_first(graph, shmem_my_pe());
    long bad = 0;
    for (long v = 0; v < graph->count; v++) {
        const long parent = levels->parent[first + v];
        bool found = parent == NO_PARENT || first + v == tree->root;
        for (long i = graph->start[v]; i < graph->start[v + 1] && !found; i++)
            found = graph->column[i] == parent;
        bad += !found;
    }
    return bad;
}

static int judge(const struct tree *tree, struct levels *levels, long *edges)
{
    collect(tree, levels->parent);
    const long lost = app_sum_long(find_levels(tree, levels));
    if (lost != 0)
        return app_fail("root %ld: a vertex does not come to the root by parents", tree->root);
    *edges = 0;
    const long bad = app_sum_long(count_bad_edges(tree, levels, edges));
    *edges = app_sum_long(*edges);
    if (bad != 0)
        return app_fail("root %ld: %ld edges join levels that they may not, or leave the tree", tree->root,
                        bad);
    const long strangers = app_sum_long(count_bad_parents(tree, levels));
    if (strangers != 0)
        return app_fail("root %ld: %ld vertices have a parent that is no neighbour", tree->root, strangers);
    return 0;
}

int tree_validate(const struct tree *tree, long *edges)
{
    const size_t vertices = (size_t)tree->graph->rows;
    struct levels levels = {malloc(vertices * sizeof(long)), malloc(vertices * sizeof(long))};
    int status = app_agree(levels.parent == NULL || levels.level == NULL);
    if (status != 0)
        app_fail("not enough memory to check the search");
    else
        status = judge(tree, &levels, edges);
    free(levels.level);
    free(levels.parent);
    return status;
}
