/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The Graph500 benchmark's graph: 2^scale vertices, and edges whose ends are found by going down a
 * quartered matrix scale times, into its quarters with the probabilities 0.57, 0.19, 0.19, 0.05; vertices
 * are then numbered anew. An edge may be there several times, and lead from a vertex to itself. Each edge
 * follows from its number. Knows no PEs.
 */
#ifndef KRONECKER_H
#define KRONECKER_H

#include <stdint.h>

struct kronecker {
    int scale;
    long edges;
    uint64_t seed;
};

struct edge {
    long from, to;
};

struct edge kronecker_edge(const struct kronecker *graph, long number);

#endif
