/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The local product of every version: three loops, the innermost along rows. Knows no library.
 */
#ifndef KERNEL_H
#define KERNEL_H

/* c += a b. a is m x k, b is k x n, each row after row without gaps; c has m rows of n elements, one every
 * stride. */
void kernel_add_product(double *restrict c, long stride, const double *restrict a, const double *restrict b,
                        long m, long k, long n);

#endif
