/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stands where no BLAS is installed.
 */
#include "blas.h"

#include <stdlib.h>

const bool blas_is_there = false;

void blas_take_one_core(void)
{
    abort();
}

void blas_add_product(double *c, const double *a, const double *b, long m, long k, long n, long first,
                      long count)
{
    (void)c, (void)a, (void)b, (void)m, (void)k, (void)n, (void)first, (void)count;
    abort();
}
