/* SPDX-License-Identifier: BSD-3-Clause
 *
 * CBLAS's dgemm.
 */
#include "blas.h"

#include <cblas.h>

#include <stddef.h>

const bool blas_is_there = true;

/* OpenBLAS alone has it; declared by its own cblas.h, and by no other. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

void blas_take_one_core(void)
{
    if (openblas_set_num_threads != NULL)
        openblas_set_num_threads(1);
}

void blas_add_product(double *c, const double *a, const double *b, long m, long k, long n, long first,
                      long count)
{
    if (m == 0 || k == 0 || count == 0)
        return;
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, (int)m, (int)count, (int)k, 1.0, a, (int)k,
                b + first, (int)n, 1.0, c + first, (int)n);
}
