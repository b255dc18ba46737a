/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The product of two blocks, by the BLAS that is installed: any with CBLAS's interface.
 */
#ifndef BLAS_H
#define BLAS_H

#include <stdbool.h>

/* Whether the program was built with a BLAS; without one the others are not called. */
extern const bool blas_is_there;

/* Has the BLAS use one thread, where it knows how to use more: a process has one core. */
void blas_take_one_core(void);

/* c += a b, for `count` columns of b and c from column `first` on. a is m x k, b is k x n, c is m x n, all
 * of them row after row without gaps. */
void blas_add_product(double *c, const double *a, const double *b, long m, long k, long n, long first,
                      long count);

#endif
