/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The elements of A and B, and whether a block of their product is right. Elements are whole numbers from
 * -8 to 8 that follow from their place, so that every process can make any of them; products of such
 * matrices are exact in double precision, in whatever order they are added up, and the checks compare for
 * equality.
 */
#ifndef MATRIX_H
#define MATRIX_H

/* Consecutive rows or columns of a matrix. */
struct span {
    long first, count;
};

enum matrix { MATRIX_A, MATRIX_B };

/* A block of one matrix, row after row. */
void matrix_fill(double *block, enum matrix which, struct span rows, struct span columns);

/* Rows of a block c of C that are not those of A B, whose inner dimension is k; -1 without memory. Compares
 * the block's product with two random vectors with A times B times these (Freivalds): a row that is wrong
 * goes unnoticed in one case of 2^20. Exact while k times the columns is at most 2^37. */
long matrix_wrong_rows(const double *c, struct span rows, struct span columns, long k);

#endif
