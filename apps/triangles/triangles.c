/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts the triangles of an undirected graph. Every edge stands once, with the vertex of the
 * larger number; for each of its edges (u, v) a PE fetches v's list with one get and counts what
 * it has in common with u's. See README.md.
 */
#include "app.h"
#include "csr.h"
#include "mtx.h"
#include "rows.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    const char *path;
    long vertices;
    long reach;
    long expected; /* -1: unknown */
};

/* Vertex v joined to the next `reach` ones around a ring: row v holds v - reach .. v - 1, and
 * those that v reaches beyond the end of the numbering. */
static int make_ring_graph(long vertices, long reach, struct csr *graph)
{
    if (csr_create(graph, vertices, vertices * reach, false) != 0)
        return -1;
    long position = 0;
    for (long v = 0; v < vertices; v++) {
        for (long u = 0; u < v; u++) {
            if (u > v + reach - vertices && u < v - reach)
                u = v - reach; /* nothing between the two ends of the list */
            graph->column[position++] = u;
        }
        graph->start[v + 1] = position;
    }
    return 0;
}

/* Three vertices of which the first reaches the other two, or three steps around the ring. */
static long ring_graph_triangles(long n, long k)
{
    if (n <= 2 * k + 1)
        return n * (n - 1) * (n - 2) / 6;
    long slack = 3 * k - n;
    long around = slack >= 0 ? n * ((slack + 2) * (slack + 1) / 2) / 3 : 0;
    return n * (k * (k - 1) / 2) + around;
}

/* On PE 0. 0, or 1 and the reason is printed. */
static int load_graph(const struct settings *settings, struct csr *graph)
{
    if (settings->path == NULL)
        return make_ring_graph(settings->vertices, settings->reach, graph) == 0
                   ? 0
                   : app_fail("not enough memory for a graph of %ld vertices", settings->vertices);
    char error[1024];
    struct mtx matrix;
    if (mtx_read(settings->path, &matrix, error, sizeof error) != 0)
        return app_fail("%s", error);
    int status = 0;
    if (matrix.rows != matrix.columns)
        status = app_fail("%s: a graph needs a square matrix; this one is %ld x %ld",
                          settings->path, matrix.rows, matrix.columns);
    else if (csr_graph_from_mtx(&matrix, graph) != 0)
        status = app_fail("%s: not enough memory for the graph", settings->path);
    mtx_free(&matrix);
    return status;
}

/* What two ascending lists have in common. */
static long count_common(const long *a, long a_count, const long *b, long b_count)
{
    long common = 0;
    for (long i = 0, j = 0; i < a_count && j < b_count;) {
        common += a[i] == b[j];
        long left = a[i], right = b[j];
        i += left <= right;
        j += right <= left;
    }
    return common;
}

static long count_my_triangles(const struct rows *graph, long *fetched)
{
    long triangles = 0;
    const int me = shmem_my_pe();
    for (long u = graph->first; u < graph->first + graph->count; u++) {
        const long *list = graph->column + rows_position(graph, me, u);
        long length = graph->start[u + 1] - graph->start[u];
        for (long k = 0; k < length; k++) {
            long v = list[k], v_length = graph->start[v + 1] - graph->start[v];
            int owner = rows_owner(graph, v);
            const long *v_list = graph->column + rows_position(graph, owner, v);
            if (owner != me && v_length > 0) {
                shmem_long_get(fetched, v_list, (size_t)v_length, owner);
                v_list = fetched;
            }
            /* Only the part of u's list before v can be in v's. */
            triangles += count_common(list, k, v_list, v_length);
        }
    }
    return triangles;
}

static int count(const struct settings *settings, const struct rows *graph)
{
    long *fetched = malloc(((size_t)graph->longest + 1) * sizeof *fetched);
    if (app_agree(fetched == NULL) != 0) {
        free(fetched);
        return app_fail("not enough memory");
    }
    double begin = app_seconds();
    long triangles = app_sum_long(count_my_triangles(graph, fetched));
    double seconds = app_seconds() - begin;
    free(fetched);
    if (shmem_my_pe() == 0)
        printf("triangles: %ld vertices, %ld edges, %ld triangles, %.3f s on %d PEs\n",
               graph->order, graph->entries, triangles, seconds, shmem_n_pes());
    if (settings->expected < 0)
        return 0;
    if (triangles != settings->expected)
        return app_fail("expected %ld triangles, counted %ld", settings->expected, triangles);
    if (shmem_my_pe() == 0)
        printf("triangles: verified: the count is the one expected\n");
    return 0;
}

static int run(int argc, char **argv)
{
    struct settings settings = {.vertices = 20000, .reach = 16, .expected = -1};
    const struct app_option options[] = {
        {"FILE", APP_TEXT, &settings.path, "a graph as a Matrix Market file; without: a ring graph",
         0, 0, NULL},
        {"--generate", APP_COUNT, &settings.vertices, "vertices of the ring graph", 1, 1e8, NULL},
        {"--reach", APP_COUNT, &settings.reach,
         "the ring graph joins each vertex to this many next ones", 1, 1e4, NULL},
        {"--expect", APP_COUNT, &settings.expected,
         "fail unless the count is this; -1: it is not known", -1, 1e18, NULL},
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Counts the triangles of an undirected graph.", options);
    if (status != APP_RUN)
        return status;
    if (settings.path == NULL) {
        if (settings.reach > settings.vertices / 2)
            settings.reach = settings.vertices / 2;
        if (settings.expected < 0)
            settings.expected = ring_graph_triangles(settings.vertices, settings.reach);
    }

    struct csr whole = {0};
    struct rows graph;
    status = app_agree(shmem_my_pe() == 0 ? load_graph(&settings, &whole) : 0);
    if (status == 0)
        status = rows_scatter(&whole, &graph);
    csr_free(&whole);
    if (status != 0)
        return status;
    status = count(&settings, &graph);
    rows_free(&graph);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
