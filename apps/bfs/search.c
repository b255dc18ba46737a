/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Level by level: a PE fetches the neighbours of the vertices that it claimed on the level before, and
 * claims those that it has not asked for yet, by a compare-and-swap of their parents.
 */
#include "app.h"
#include "tree.h"
#include "way.h"

#include <stdlib.h>
#include <string.h>

/* Claims under way at most. */
#define CLAIMS 16384

struct search {
    const struct lists *graph;
    int way;
    shmem_ctx_t ctx;
    struct tree *tree;
    uint64_t *asked;     /* private: a bit for each vertex */
    long *level, *next;  /* private: vertices claimed by this PE */
    long count, next_count;
    const long *sources; /* whose neighbours are being looked at */
    long claims;
    long vertex[CLAIMS], before[CLAIMS];
};

struct search *search_create(const struct lists *graph, int way)
{
    struct search *search = calloc(1, sizeof *search);
    const size_t vertices = (size_t)graph->rows;
    if (search != NULL) {
        search->graph = graph;
        search->way = way;
        search->asked = malloc((vertices + 63) / 64 * sizeof *search->asked);
        search->level = malloc(vertices * sizeof *search->level);
        search->next = malloc(vertices * sizeof *search->next);
    }
    if (app_agree(search == NULL || search->asked == NULL || search->level == NULL ||
                  search->next == NULL) == 0)
        return search;
    app_fail("not enough memory to search %zu vertices", vertices);
    search_destroy(search);
    return NULL;
}

void search_destroy(struct search *search)
{
    if (search == NULL)
        return;
    free(search->next);
    free(search->level);
    free(search->asked);
    free(search);
}

/* Of those asked for, the ones that had no parent are this PE's. */
static void look(struct search *search)
{
    shmem_ctx_quiet(search->ctx);
    for (long i = 0; i < search->claims; i++)
        if (search->before[i] == NO_PARENT)
            search->next[search->next_count++] = search->vertex[i];
    search->claims = 0;
}

static void claim(void *state, int source, long vertex)
{
    struct search *search = state;
    const uint64_t bit = UINT64_C(1) << vertex % 64;
    if ((search->asked[vertex / 64] & bit) != 0)
        return;
    search->asked[vertex / 64] |= bit;
    const long i = search->claims++, parent = search->sources[source];
    long *place = &search->tree->parent[vertex % search->graph->per_pe];
    const int pe = lists_owner(search->graph, vertex);
    search->vertex[i] = vertex;
    if (search->way == WAY_PLAIN)
        search->before[i] = shmem_ctx_long_atomic_compare_swap(search->ctx, place, NO_PARENT, parent, pe);
    else
        shmem_ctx_long_atomic_compare_swap_nbi(search->ctx, &search->before[i], place, NO_PARENT, parent,
                                               pe);
    if (search->claims == CLAIMS)
        look(search);
}

static void search_level(struct search *search)
{
    const int step = search->way == WAY_PLAIN ? 1 : LISTS_READ;
    for (long done = 0; done < search->count; done += step) {
        search->sources = search->level + done;
        lists_read(search->graph, search->ctx, search->sources,
                   search->count - done < step ? (int)(search->count - done) : step, claim, search);
    }
    look(search);
}

static void begin(struct search *search, struct tree *tree)
{
    const int me = shmem_my_pe();
    const struct lists *graph = search->graph;
    search->tree = tree;
    memset(search->asked, 0, ((size_t)graph->rows + 63) / 64 * sizeof *search->asked);
    for (long i = 0; i < graph->per_pe; i++)
        tree->parent[i] = NO_PARENT;
    search->count = search->next_count = 0;
    if (lists_owner(graph, tree->root) == me) {
        tree->parent[tree->root % graph->per_pe] = tree->root;
        search->level[search->count++] = tree->root;
    }
    shmem_barrier_all();
}

void search_run(struct search *search, struct tree *tree)
{
    begin(search, tree);
    search->ctx = way_open(search->way);
    while (app_sum_long(search->count) > 0) {
        search_level(search);
        long *level = search->level;
        search->level = search->next;
        search->next = level;
        search->count = search->next_count;
        search->next_count = 0;
    }
    way_close(search->way, search->ctx);
    shmem_barrier_all();
}
