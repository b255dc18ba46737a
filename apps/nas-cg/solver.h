/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Inverse power iteration with conjugate gradients, one part's rows. Plain C, used by all three versions:
 * how parts learn of each other is left to two functions of theirs.
 */
#ifndef SOLVER_H
#define SOLVER_H

#include "matrix.h"

struct solver {
    const struct problem *problem;
    long first, count; /* my rows */
    struct matrix matrix;
    double *whole; /* the vector that is multiplied, of all parts; the caller's */
    double *x, *z, *r, *q;
    void *caller;

    /* Brings everybody's rows of `whole` to all. */
    void (*share)(struct solver *solver);
    /* The sum over all parts, the same bits everywhere. */
    double (*add_up)(struct solver *solver, double mine);
};

/* The matrix and the vectors. 0, or -1 when there is no memory: destroy in any case. */
int solver_create(struct solver *solver, const struct problem *problem, int part, int parts);
void solver_destroy(struct solver *solver);

/* All iterations, from a vector of ones: the estimate of the eigenvalue. */
double solver_run(struct solver *solver);

#endif
