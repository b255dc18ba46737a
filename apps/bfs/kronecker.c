/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random numbers of an edge are those of a generator that begins with the edge's number.
 */
#include "kronecker.h"

#include "plain.h"

/* Another number of 0 .. 2^scale - 1 for each: products with odd numbers, and upper bits mixed into lower
 * ones. */
static long renumber(const struct kronecker *graph, long vertex)
{
    const uint64_t mask = (UINT64_C(1) << graph->scale) - 1;
    uint64_t v = (uint64_t)vertex;
    for (int round = 0; round < 3; round++) {
        v = (v * (UINT64_C(0x9e3779b97f4a7c15) + 2 * graph->seed) + graph->seed) & mask;
        v ^= v >> (graph->scale + 1) / 2;
    }
    return (long)v;
}

struct edge kronecker_edge(const struct kronecker *graph, long number)
{
    uint64_t state = graph->seed << 40 ^ (uint64_t)number;
    state = app_random(&state);
    struct edge edge = {0, 0};
    for (int level = 0; level < graph->scale; level++) {
        const double chance = (double)(app_random(&state) >> 11) * 0x1p-53;
        edge.from = 2 * edge.from + (chance >= 0.76);
        edge.to = 2 * edge.to + ((chance >= 0.57 && chance < 0.76) || chance >= 0.95);
    }
    return (struct edge){renumber(graph, edge.from), renumber(graph, edge.to)};
}
