/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The benchmark's classes. Plain C, used by all three versions.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include <stdbool.h>

#define PROBLEM_CLASSES "S|W|A|B|C"
#define PROBLEM_STEPS   25 /* of conjugate gradients in an iteration */

struct problem {
    char class;
    int order;      /* of the matrix */
    int entries;    /* of each of the vectors that the matrix is made of */
    int iterations; /* of inverse power iteration */
    double shift;
    double zeta; /* the estimate of the eigenvalue after them, as published */
};

/* The class of this place in PROBLEM_CLASSES. */
const struct problem *problem_of(int class);

bool problem_is_solved(const struct problem *problem, double zeta);

/* Operations as the benchmark's reports count them. */
double problem_operations(const struct problem *problem);

#endif
