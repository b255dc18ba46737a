/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A transform of n = n1 n2 complex numbers as two sets of short ones, those of length n1 and those of
 * length n2, with factors in between; its input, and a block of a matrix transposed. Knows no PEs.
 *
 * Number j = i1 n2 + i2 of the input is in row i1 and column i2 of a matrix of n1 x n2. Its columns are
 * transformed, element k1 of column i2 is multiplied with w^(i2 k1), where w is exp(-2 pi i / n), and then
 * the rows are transformed. Row k1 and column k2 hold number k1 + n1 k2 of the result.
 */
#ifndef TRANSFORM_H
#define TRANSFORM_H

#include <complex.h>
#include <fftw3.h>

#include <stdint.h>

typedef double complex number;

struct transform {
    long n, n1, n2;        /* n1 is the largest divisor up to the root of n */
    fftw_plan plan1, plan2; /* of one row in place */
    int bits;              /* w^(j) is coarse[j >> bits] * fine[j & (1 << bits) - 1] */
    number *coarse, *fine;
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

/* Multiplies column i2, which lies as a row here, with its factors. */
void transform_twiddle(const struct transform *transform, long i2, number *column);

/* to[c to_stride + r] = from[r from_stride + c]. */
void transform_transpose(number *to, long to_stride, const number *from, long from_stride, long rows,
                         long columns);

#endif
