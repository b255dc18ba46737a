/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The benchmark's classes, and its right-hand side: 0 but for twenty cells. Plain C, used by all three
 * versions.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "box.h"

#define PROBLEM_CLASSES   "S|W|A|B|C"
#define PROBLEM_MOST_SIZE 512 /* of any class */
#define PROBLEM_CHARGES   10  /* cells of 1, and as many of -1 */

struct problem {
    char class;
    int levels; /* the cube has 2^levels cells per side */
    int iterations;
    struct weights smoother;
    double norm; /* of the residual, as published */
};

static inline long problem_size(const struct problem *problem)
{
    return 1L << problem->levels;
}

/* The class of this place in PROBLEM_CLASSES. */
const struct problem *problem_of(int class);

/* Whether the norm of the residual is the published one, but for rounding. */
bool problem_is_solved(const struct problem *problem, double norm);

/* Operations as the benchmark's reports count them. */
double problem_operations(const struct problem *problem);

/* The cells with the largest and the smallest random numbers, the most extreme ones first. */
struct charge {
    double value;
    long cell; /* counted along axis 2, then 1, then 0 */
};

struct charges {
    struct charge high[PROBLEM_CHARGES], low[PROBLEM_CHARGES];
};

/* Those of the block of count cells that begins after first. */
void charges_find(long size, const long first[3], const long count[3], struct charges *charges);

/* Those of both. */
void charges_join(struct charges *charges, const struct charges *others);

/* v: 1 and -1 in the cells that are in the block, 0 in all others. */
void charges_place(const struct charges *charges, long size, const long first[3], struct box *v);

#endif
