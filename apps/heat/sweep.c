/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The methods' inner loops. A step updates the cells of one colour: all of them for Jacobi, every
 * second one, as on a chessboard, for Gauss-Seidel and SOR.
 */
#include "sweep.h"

#include <math.h>

static double *row_of(const struct plate *plate, int grid, int parity, long row)
{
    if (row < 0)
        return plate_halo(plate, parity, PLATE_ABOVE);
    if (row >= plate->rows)
        return plate_halo(plate, parity, PLATE_BELOW);
    return plate->grid[grid] + row * plate->width;
}

static double jacobi_row(const struct plate *plate, uint64_t step, long row)
{
    const int from = (int)((step - 1) % 2);
    const double *restrict above = row_of(plate, from, from, row - 1);
    const double *restrict here = row_of(plate, from, from, row);
    const double *restrict below = row_of(plate, from, from, row + 1);
    const double *restrict relax = plate->relax + row * plate->width;
    double *restrict to = plate->grid[step % 2] + row * plate->width;
    double largest = 0;
    for (long x = 1; x < plate->width - 1; x++) {
        const double mean = 0.25 * (above[x] + below[x] + here[x - 1] + here[x + 1]);
        const double change = relax[x] * (mean - here[x]);
        to[x] = here[x] + change;
        const double size = fabs(change);
        largest = size > largest ? size : largest;
    }
    return largest;
}

/* The cells whose row and column, counted in the whole plate, add up to the step's parity. */
static double chessboard_row(const struct plate *plate, uint64_t step, long row)
{
    const int parity = (int)((step - 1) % 2);
    const double *above = row_of(plate, 0, parity, row - 1);
    double *here = row_of(plate, 0, parity, row);
    const double *below = row_of(plate, 0, parity, row + 1);
    const double *relax = plate->relax + row * plate->width;
    double largest = 0;
    for (long x = 1 + (long)((uint64_t)(plate->first + row) + step + 1) % 2; x < plate->width - 1;
         x += 2) {
        const double mean = 0.25 * (above[x] + below[x] + here[x - 1] + here[x + 1]);
        const double change = relax[x] * (mean - here[x]);
        here[x] += change;
        const double size = fabs(change);
        largest = size > largest ? size : largest;
    }
    return largest;
}

double sweep(const struct plate *plate, sweep_step *step, enum sweep_method method, uint64_t iteration)
{
    if (method == SWEEP_JACOBI)
        return step(plate, jacobi_row, (int)(iteration % 2), iteration);
    const double black = step(plate, chessboard_row, 0, 2 * iteration - 1);
    const double white = step(plate, chessboard_row, 0, 2 * iteration);
    return fmax(black, white);
}

int sweep_result(enum sweep_method method, uint64_t iterations)
{
    return method == SWEEP_JACOBI ? (int)(iterations % 2) : 0;
}

double sweep_best_omega(long width, long height)
{
    const double radius = 0.5 * (cos(M_PI / (double)(width - 1)) + cos(M_PI / (double)(height - 1)));
    return 2 / (1 + sqrt(1 - radius * radius));
}
