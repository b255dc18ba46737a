/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One iteration of a method over my part of the plate, the same in every version of the program.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include "plate.h"

enum sweep_method { SWEEP_JACOBI, SWEEP_GAUSS_SEIDEL, SWEEP_SOR };

/* plate_step or plate_step_alone. */
typedef double sweep_step(const struct plate *plate, plate_update *update, int to, uint64_t step);

/* One iteration, counted from 1. Returns the largest change of a cell of mine. */
double sweep(const struct plate *plate, sweep_step *step, enum sweep_method method, uint64_t iteration);

/* Which grid holds the result after so many iterations. */
int sweep_result(enum sweep_method method, uint64_t iterations);

/* The omega with which successive over-relaxation converges fastest on such a rectangle. */
double sweep_best_omega(long width, long height);

#endif
