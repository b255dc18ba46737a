/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A breadth-first search's tree: each vertex's parent, spread over all PEs as the graph is. Made by
 * search.c, judged by validate.c.
 */
#ifndef TREE_H
#define TREE_H

#include "kronecker.h"
#include "lists.h"

#define NO_PARENT (-1L)

struct tree {
    const struct edge *edge;      /* private: the edges that this PE made */
    long edges;
    const struct lists *graph;    /* neighbours of each vertex, in both directions */
    long root;                    /* its own parent */
    long *parent;                 /* symmetric */
};

/* Collective. Room for what a search needs, NULL on all PEs if there is none, the reason printed. */
struct search *search_create(const struct lists *graph, int way);
void search_destroy(struct search *search);

/* Collective. Fills the tree; the time is between barriers. */
void search_run(struct search *search, struct tree *tree);

/* Collective. 0 if the tree keeps Graph500's rules, with how many edges, as made, have an end in it; or 1
 * on all PEs, the reason printed. */
int tree_validate(const struct tree *tree, long *edges);

#endif
