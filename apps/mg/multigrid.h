/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The V-cycle of one part of the cube. Plain C, used by all three versions: how parts learn of each other
 * is left to functions of theirs.
 */
#ifndef MULTIGRID_H
#define MULTIGRID_H

#include "box.h"
#include "problem.h"
#include "split.h"

#define MULTIGRID_MOST_LEVELS 12

enum multigrid_array {
    MULTIGRID_X, /* the correction, on the highest level the solution */
    MULTIGRID_R  /* the residual */
};

/* Of the levels above split.whole the caller gives the memory; the others are private. */
struct multigrid {
    const struct problem *problem;
    struct split split;
    int part;
    struct box arrays[MULTIGRID_MOST_LEVELS][2];
    struct box v;
    struct box share; /* what this part restricts to level split.whole */
    double *memory;   /* of the whole levels and of share */
    void *caller;

    /* Along an axis that is cut: send this part's outer cells to the neighbours, and wait until theirs fill
     * this part's halo, or only that above. Cells that are neither sent nor in the halo may be written
     * meanwhile. */
    void (*send)(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper);
    void (*receive)(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper);
    /* Brings all shares together in `whole`, without its halo. */
    void (*gather)(struct multigrid *grid, struct box *whole);
    /* After a correction has been spread; NULL where a part's halo is its own. */
    void (*spread)(struct multigrid *grid);
    double exchanged;            /* seconds in send, receive and gather since the solution began */
    bool lower_halo, upper_halo; /* whether this part writes these planes of the halo when it spreads */
};

/* Memory for the whole levels. 0, or -1 when there is none. */
int multigrid_create(struct multigrid *grid);
void multigrid_destroy(struct multigrid *grid);

/* From a solution of zero: as many iterations as the problem wants, and the residual after them. */
void multigrid_solve(struct multigrid *grid);

/* For `gather`: this part's share in a row, at most multigrid_most cells; and all of them, each beginning
 * so many cells behind the one before, to their places. */
long multigrid_most(const struct multigrid *grid);
void multigrid_pack(const struct multigrid *grid, double *mine);
void multigrid_unpack(const struct multigrid *grid, const double *all, struct box *whole);

/* This part's share of the square of the residual's norm. */
double multigrid_square(const struct multigrid *grid);

/* The norm from the sum of all shares. */
double multigrid_norm(const struct problem *problem, double sum);

#endif
