/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A square matrix that rows and columns in another order make upper triangular, without zeros on its
 * diagonal: a random triangular one, whose rows and columns each PE can find shuffled without any other.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdint.h>

/* The one-to-one map of 0 .. order - 1 to itself: i -> (i * factor + shift) mod order. */
struct shuffle {
    long order;
    uint64_t factor, shift;
};

struct shuffle shuffle_make(long order, uint64_t *random);
long shuffle_map(const struct shuffle *shuffle, long i);

struct matrix {
    long order, extra; /* entries in a row beside the diagonal, at most */
    uint64_t seed;
    struct shuffle rows;    /* the row's place in the triangular matrix */
    struct shuffle columns; /* from the column's place there */
};

void matrix_make(struct matrix *matrix, long order, long extra, long seed);

/* Columns of a row, 1 + extra at most, distinct. Returns how many. */
long matrix_row(const struct matrix *matrix, long row, long *column);

#endif
