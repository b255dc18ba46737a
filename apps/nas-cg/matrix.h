/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The benchmark's random sparse matrix, some of its rows. Plain C, used by all three versions.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include "problem.h"

#include <stdint.h>

/* Rows in compressed form: row r's entries are start[r] .. start[r + 1] - 1, their columns ascending. */
struct matrix {
    long rows;
    long *start;
    int32_t *column;
    double *value;
};

/* Rows first .. first + count - 1 of the matrix, less the shift. 0, or -1 when there is no memory: destroy
 * in any case. */
int matrix_create(const struct problem *problem, long first, long count, struct matrix *matrix);
void matrix_destroy(struct matrix *matrix);

/* result = matrix * vector, of which all elements are there. */
void matrix_multiply(const struct matrix *matrix, const double *vector, double *result);

#endif
