/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a plate begins with, and where it is held at a temperature. Knows no PEs.
 */
#ifndef INITIAL_H
#define INITIAL_H

#include "plate.h"

enum initial { INITIAL_SPOTS, INITIAL_SADDLE, INITIAL_PICTURE };

/* x^2 - y^2 solves Laplace's equation, on a grid too, exactly. */
double initial_saddle(const struct plate *plate, long x, long y);

/* The temperatures of a row of spots or a saddle. */
void initial_row(const struct plate *plate, enum initial initial, long y, double *row);

/* Of the cells of my rows: omega, and 0 where a cell is held. */
void initial_relaxation(const struct plate *plate, enum initial initial, double omega);

#endif
