/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transform of n = n1 n2 complex numbers as two sets of short ones, those of length n1 and those of
 * length n2, with factors in between; its input, and blocks of columns. Knows no PEs.
 *
 * Number j = i1 n2 + i2 of the input is in row i1 and column i2 of a matrix of n1 x n2. Its columns are
 * transformed, element k1 of column i2 is multiplied with w^(i2 k1), where w is exp(-2 pi i / n), and then
 * the rows are transformed. Row k1 and column k2 hold number k1 + n1 k2 of the result.
 *
 * A block is WIDTH columns that lie by rows, as in the matrix: n1 x WIDTH numbers. So columns are gathered and
 * handed on as rows of WIDTH numbers, and nothing is transposed: FFTW transforms the columns side by side.
 */
#ifndef TRANSFORM_H
#define TRANSFORM_H

#include <complex.h>
#include <fftw3.h>

#include <stdint.h>

typedef double complex number;

/* Columns of a block. 8, 16 and 32 differ by less than runs of one of them: on two PEs 148, 150 and 155 us at
 * best for 2^16 numbers (20 runs), 6.7, 7.8 and 7.1 ms at the median for 2^20 (5 runs). */
#define WIDTH 16

struct transform {
    long n, n1, n2;        /* n1 is the largest divisor up to the root of n */
    fftw_plan plan1; /* of a block's columns, in place */
    fftw_plan plan2; /* of one row, in place */
    int bits;              /* w^(j) is coarse[j >> bits] * fine[j & (1 << bits) - 1] */
    number *coarse, *fine;
    number *steps; /* a block: w^(k1 c) for column c, so that a row needs one power of its own */
};

/* Of one row in place, with one of FFTW's efforts (FFTW_MEASURE); NULL where there is not enough memory. */
fftw_plan transform_plan(long length, unsigned effort);

/* 0, or -1 where there is not enough memory. */
int transform_create(struct transform *transform, long n, unsigned effort);
void transform_destroy(struct transform *transform);

/* Number j of the input of transform t: real and imaginary part from -1 to 1. */
number transform_input(long t, long j);

/* Of so many rows, one after the other in memory. */
void transform_rows(fftw_plan plan, number *row, long length, long count);

/* An empty block; NULL where there is not enough memory. fftw_free releases it. */
number *transform_block(const struct transform *transform);

/* Of all columns of a block. */
void transform_columns(const struct transform *transform, number *block);

/* Multiplies rows k1 .. k1 + rows - 1 of the block of columns i2 .. i2 + WIDTH - 1 with their factors; the first width
 * numbers of each become a row of `to`. */
void transform_twiddle(const struct transform *transform, long i2, const number *block, long k1, long rows, number *to,
                       long to_stride, long width);

/* Copies so many rows of width numbers. */
void transform_copy(number *to, long to_stride, const number *from, long from_stride, long rows, long width);

#endif
