/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts the triangles of an undirected graph. Every edge stands once, with the vertex of the
 * larger number; for each of its edges (u, v) a PE fetches v's list with one get, many of them at a time
 * unless the way is plain, and counts what it has in common with u's. See README.md.
 */
#include "app.h"
#include "csr.h"
#include "mtx.h"
#include "rows.h"
#include "way.h"

#include <stdio.h>
#include <stdlib.h>

struct settings {
    const char *path;
    long vertices;
    long reach;
    long expected; /* -1: unknown */
    int order;     /* of the ring graph's numbers */
    int way;
};

enum { RING, RANDOM };

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

/* Each of so many numbers once, in an order that is the same in every run; NULL: no memory. */
static long *shuffled_numbers(long count)
{
    uint64_t state = 0;
    long *number = malloc((size_t)count * sizeof *number);
    for (long i = 0; number != NULL && i < count; i++) {
        const long j = app_random_below(&state, i + 1);
        number[i] = number[j];
        number[j] = i;
    }
    return number;
}

/* The same graph, whose vertices are numbered at random: neighbours lie on any PE. */
static int renumber(struct csr *graph)
{
    const long edges = graph->start[graph->order];
    long *number = shuffled_numbers(graph->order);
    struct mtx matrix = {.rows = graph->order, .columns = graph->order, .count = edges, .pattern = true,
                         .entry = malloc((size_t)edges * sizeof *matrix.entry + 1)};
    int status = -1;
    if (number != NULL && matrix.entry != NULL) {
        for (long v = 0; v < graph->order; v++)
            for (long i = graph->start[v]; i < graph->start[v + 1]; i++)
                matrix.entry[i] = (struct mtx_entry){number[v], number[graph->column[i]], 1, 0};
        csr_free(graph);
        status = csr_graph_from_mtx(&matrix, graph);
    }
    free(number);
    mtx_free(&matrix);
    return status;
}

static int make_graph(const struct settings *settings, struct csr *graph)
{
    if (make_ring_graph(settings->vertices, settings->reach, graph) != 0)
        return -1;
    return settings->order == RANDOM ? renumber(graph) : 0;
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
        return make_graph(settings, graph) == 0
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

/* Edges (u, v) whose lists of v have been asked for, or lie here. */
struct pair {
    const long *list; /* of u, up to before v: only that can be in v's */
    long length;
    const long *other; /* of v */
    long other_length;
};

#define PAIRS   1024
#define FETCHED 65536 /* numbers of lists under way, at least */

struct fetch {
    shmem_ctx_t ctx;
    bool waits;    /* for each list at once */
    long *fetched; /* room for this many numbers, the longest list at least */
    long room, used;
    struct pair pair[PAIRS];
    int pairs;
};

static long count_fetched(struct fetch *fetch)
{
    long triangles = 0;
    shmem_ctx_quiet(fetch->ctx);
    for (const struct pair *pair = fetch->pair; pair < fetch->pair + fetch->pairs; pair++)
        triangles += count_common(pair->list, pair->length, pair->other, pair->other_length);
    fetch->pairs = 0;
    fetch->used = 0;
    return triangles;
}

/* v's list, as it lies here or will after a quiet. */
static const long *ask_for(struct fetch *fetch, const struct rows *graph, long v, long length)
{
    const int owner = rows_owner(graph, v);
    const long *list = graph->column + rows_position(graph, owner, v);
    if (owner == shmem_my_pe())
        return list;
    long *here = fetch->fetched + fetch->used;
    fetch->used += length;
    if (fetch->waits)
        shmem_ctx_long_get(fetch->ctx, here, list, (size_t)length, owner);
    else
        shmem_ctx_long_get_nbi(fetch->ctx, here, list, (size_t)length, owner);
    return here;
}

static long count_my_triangles(const struct rows *graph, struct fetch *fetch)
{
    long triangles = 0;
    for (long u = graph->first; u < graph->first + graph->count; u++) {
        const long *list = graph->column + rows_position(graph, shmem_my_pe(), u);
        const long length = graph->start[u + 1] - graph->start[u];
        for (long k = 1; k < length; k++) {
            const long v = list[k], v_length = graph->start[v + 1] - graph->start[v];
            if (v_length == 0)
                continue;
            if (fetch->pairs == PAIRS || fetch->used + v_length > fetch->room)
                triangles += count_fetched(fetch);
            fetch->pair[fetch->pairs++] =
                (struct pair){list, k, ask_for(fetch, graph, v, v_length), v_length};
            if (fetch->waits)
                triangles += count_fetched(fetch);
        }
    }
    return triangles + count_fetched(fetch);
}

static int count(const struct settings *settings, const struct rows *graph)
{
    static struct fetch fetch;
    fetch.room = (graph->longest > FETCHED ? graph->longest : FETCHED) + 1;
    fetch.fetched = malloc((size_t)fetch.room * sizeof *fetch.fetched);
    if (app_agree(fetch.fetched == NULL) != 0) {
        free(fetch.fetched);
        return app_fail("not enough memory");
    }
    fetch.waits = settings->way == WAY_PLAIN;
    fetch.ctx = way_open(settings->way);
    double begin = app_seconds();
    long triangles = app_sum_long(count_my_triangles(graph, &fetch));
    double seconds = app_seconds() - begin;
    way_close(settings->way, fetch.ctx);
    free(fetch.fetched);
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
        {"--order", APP_CHOICE, &settings.order, "of the ring graph's numbers", 0, 0, "ring|random"},
        {"--expect", APP_COUNT, &settings.expected,
         "fail unless the count is this; -1: it is not known", -1, 1e18, NULL},
        WAY_OPTION(&settings.way),
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
