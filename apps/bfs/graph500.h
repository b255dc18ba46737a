/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breadth-first searches of a Kronecker graph from random roots, each validated.
 */
#ifndef GRAPH500_H
#define GRAPH500_H

struct graph500 {
    long scale; /* 2^scale vertices */
    long edges; /* for each vertex */
    long roots;
    long seed;
    int way;
};

#define GRAPH500_ROOTS_MOST 1024

/* Collective. 0, or 1 on all PEs, the reason printed. */
int graph500_run(const struct graph500 *settings);

#endif
