/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The elements of A and B, and whether a block of their product is right. Elements are whole numbers from
 * -8 to 8 that follow from their place, so that every process can make any of them; products of such
 * matrices are exact in double precision, in whatever order they are added up, and the checks compare for
 * equality.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "grid.h"

enum matrix { MATRIX_A, MATRIX_B };

/* A block of one matrix, row after row. */
void matrix_fill(double *block, enum matrix which, struct span rows, struct span columns);

/* Rows of the block of C in this row and column of the grid that are not those of A B; -1 without memory.
 * Compares the block's product with two random vectors with A times B times these (Freivalds): a row that
 * is wrong goes unnoticed in one case of 2^20. Exact while k n <= 2^37. Uses no BLAS. */
long matrix_wrong_rows(const struct grid *grid, int row, int column, const double *c);

/* Elements of that block that one call of the BLAS, for all of k at once, gives otherwise; -1 without
 * memory. */
long matrix_wrong_elements(const struct grid *grid, int row, int column, const double *c);

#endif
