/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The graph is made and laid out once, then searched from every root.
 */
#include "graph500.h"

#include "app.h"
#include "tree.h"

#include <stdlib.h>

/* My share of the edges, or NULL. */
static struct edge *make_edges(const struct kronecker *made, long *count)
{
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const long first = app_block_first(made->edges, me, npes);
    *count = app_block_first(made->edges, me + 1, npes) - first;
    struct edge *edges = malloc(((size_t)*count + 1) * sizeof *edges);
    for (long i = 0; edges != NULL && i < *count; i++)
        edges[i] = kronecker_edge(made, first + i);
    return edges;
}

/* Both directions of these edges, without those from a vertex to itself. */
static struct pair *make_pairs(const struct edge *edges, long edge_count, long *count)
{
    struct pair *pairs = malloc((2 * (size_t)edge_count + 1) * sizeof *pairs);
    *count = 0;
    for (const struct edge *edge = edges; pairs != NULL && edge < edges + edge_count; edge++) {
        if (edge->from == edge->to)
            continue;
        pairs[(*count)++] = (struct pair){.row = edge->from, .column = edge->to};
        pairs[(*count)++] = (struct pair){.row = edge->to, .column = edge->from};
    }
    return pairs;
}

static int make_graph(const struct graph500 *settings, const struct edge *edges, long edge_count,
                      struct lists *graph)
{
    long count = 0;
    struct pair *pairs = edges == NULL ? NULL : make_pairs(edges, edge_count, &count);
    int status = app_agree(pairs == NULL);
    if (status != 0)
        app_fail("not enough memory for the graph's edges");
    else
        status = lists_build(graph, settings->way, 1L << settings->scale, pairs, count, false);
    free(pairs);
    return status;
}

/* The next random vertex with a neighbour, the same on all PEs. -1 when there seems to be none. */
static long next_root(const struct lists *graph, uint64_t *random)
{
    for (int turn = 0; turn < 100000; turn++) {
        const long vertex = app_random_below(random, graph->rows);
        long ends[2];
        shmem_long_get(ends, &graph->start[vertex % graph->per_pe], 2, lists_owner(graph, vertex));
        if (ends[1] > ends[0])
            return vertex;
    }
    return -1;
}

struct times {
    double seconds[GRAPH500_ROOTS_MOST];
    double per_edge; /* the sum of seconds for an edge of each search */
};

static int search_from_roots(const struct graph500 *settings, struct search *search, struct tree *tree,
                             struct times *times)
{
    uint64_t random = (uint64_t)settings->seed;
    for (long i = 0; i < settings->roots; i++) {
        long edges;
        tree->root = next_root(tree->graph, &random);
        if (tree->root < 0)
            return app_fail("no vertex of the graph has a neighbour");
        shmem_barrier_all();
        const double begin = app_seconds();
        search_run(search, tree);
        times->seconds[i] = app_max_double(app_seconds() - begin);
        if (tree_validate(tree, &edges) != 0)
            return 1;
        times->per_edge += times->seconds[i] / (double)edges;
    }
    return 0;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void report(const struct graph500 *settings, const struct kronecker *made, struct times *times)
{
    qsort(times->seconds, (size_t)settings->roots, sizeof(double), compare_doubles);
    app_report(times->seconds[settings->roots / 2], 0,
               "scale %ld, %ld edges, %ld roots, %.3g million edges a second,", settings->scale, made->edges,
               settings->roots, (double)settings->roots / times->per_edge / 1e6);
    app_say("verified: every tree keeps the rules of Graph500");
}

static int search_graph(const struct graph500 *settings, const struct kronecker *made, struct tree *tree)
{
    static struct times times;
    if ((tree->parent = app_allocate((size_t)tree->graph->per_pe, sizeof(long), "the tree")) == NULL)
        return 1;
    struct search *search = search_create(tree->graph, settings->way);
    int status = search == NULL ? 1 : search_from_roots(settings, search, tree, &times);
    if (status == 0)
        report(settings, made, &times);
    search_destroy(search);
    shmem_free(tree->parent);
    return status;
}

int graph500_run(const struct graph500 *settings)
{
    const struct kronecker made = {.scale = (int)settings->scale,
                                   .edges = settings->edges << settings->scale,
                                   .seed = (uint64_t)settings->seed};
    struct lists graph = {0};
    struct tree tree = {.graph = &graph};
    struct edge *edges = make_edges(&made, &tree.edges);
    tree.edge = edges;
    int status = make_graph(settings, edges, tree.edges, &graph);
    if (status == 0)
        status = search_graph(settings, &made, &tree);
    lists_free(&graph);
    free(edges);
    return status;
}
