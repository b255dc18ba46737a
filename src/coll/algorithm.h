/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which algorithm a collective uses: "auto", the library's choice by size, or one by name from an
 * environment variable, for every size. All PEs must be given the same.
 */
#ifndef SHEAF_COLL_ALGORITHM_H
#define SHEAF_COLL_ALGORITHM_H

#include "base/atomic.h"

enum sheaf_family { SHEAF_BROADCAST, SHEAF_FCOLLECT, SHEAF_REDUCE, SHEAF_FAMILIES };

/* The order is that of the names in algorithm.c. */
enum sheaf_broadcast_algorithm {
    SHEAF_BROADCAST_AUTO,
    SHEAF_BROADCAST_PUSH,     /* the root writes to everybody */
    SHEAF_BROADCAST_PULL,     /* everybody reads from the root */
    SHEAF_BROADCAST_BINOMIAL, /* everybody reads from its parent in a binomial tree */
    SHEAF_BROADCAST_ALGORITHMS
};

enum sheaf_fcollect_algorithm {
    SHEAF_FCOLLECT_AUTO,
    SHEAF_FCOLLECT_NAIVE,  /* rank 0 reads from everybody, everybody reads the whole from it */
    SHEAF_FCOLLECT_LINEAR, /* everybody reads from everybody */
    SHEAF_FCOLLECT_RING,   /* everybody reads what its left neighbour got last */
    SHEAF_FCOLLECT_ALGORITHMS
};

enum sheaf_reduce_algorithm {
    SHEAF_REDUCE_AUTO,
    SHEAF_REDUCE_NAIVE,  /* rank 0 combines all, everybody reads the result from it */
    SHEAF_REDUCE_LINEAR, /* everybody combines all */
    SHEAF_REDUCE_TREE,   /* up and down a binomial tree */
    SHEAF_REDUCE_RECURSIVE_DOUBLING, /* pairs at distance 1, 2, 4, ... */
    SHEAF_REDUCE_RING,   /* shares travel round once to be combined, once to be known */
    SHEAF_REDUCE_ALGORITHMS
};

/* One family: its variable, the names it takes, and which of them was chosen. */
struct sheaf_algorithms {
    const char *variable;
    const char *names[8]; /* the rest is NULL */
    int chosen;           /* index in names; -1 until the variable was read */
};
extern struct sheaf_algorithms sheaf_algorithms[SHEAF_FAMILIES];

/* Reads the variable; ends the program with a line that lists the names when its value is none
 * of them. */
int sheaf_algorithm_read(enum sheaf_family family);

static inline int sheaf_algorithm(enum sheaf_family family)
{
    int chosen = sheaf_load_relaxed(&sheaf_algorithms[family].chosen);
    return sheaf_likely(chosen >= 0) ? chosen : sheaf_algorithm_read(family);
}

#endif
