/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One iteration of a method over my part of the plate.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "plate.h"

enum sweep_method { SWEEP_JACOBI, SWEEP_GAUSS_SEIDEL, SWEEP_SOR };

/* Before the first iteration: my edge rows go to the neighbours as step 0. */
void sweep_begin(const struct plate *plate);

/* One iteration, counted from 1. Returns the largest change of a cell of mine. */
double sweep(const struct plate *plate, enum sweep_method method, uint64_t iteration);

/* Which grid holds the result after so many iterations. */
int sweep_result(enum sweep_method method, uint64_t iterations);

/* The omega with which successive over-relaxation converges fastest on such a rectangle. */
double sweep_best_omega(long width, long height);

#endif
