/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops over columns and the inner dimension are interchanged, so that the innermost runs along rows of
 * B and C. It takes four rows of B at once, which reads and writes C a quarter as often, and goes over a
 * panel of B's rows for all rows of A before the next, so that the panel stays in a core's cache.
 */
#include "kernel.h"

/* Rows of B in a panel: 512 kB of 2048 columns. */
#define PANEL 32

static void add_four(double *restrict c, const double *restrict a, const double *restrict b, long n)
{
    const double a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
    const double *restrict b0 = b, *restrict b1 = b + n, *restrict b2 = b + 2 * n, *restrict b3 = b + 3 * n;
    for (long j = 0; j < n; j++)
        c[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
}

static void add_one(double *restrict c, double a, const double *restrict b, long n)
{
    for (long j = 0; j < n; j++)
        c[j] += a * b[j];
}

/* A row of C, for so many rows of B. */
static void add_row(double *restrict c, const double *restrict a, const double *restrict b, long k, long n)
{
    long l = 0;
    for (; l + 4 <= k; l += 4)
        add_four(c, a + l, b + l * n, n);
    for (; l < k; l++)
        add_one(c, a[l], b + l * n, n);
}

void kernel_add_product(double *restrict c, long stride, const double *restrict a, const double *restrict b,
                        long m, long k, long n)
{
    for (long first = 0; first < k; first += PANEL) {
        const long rows = k - first < PANEL ? k - first : PANEL;
        for (long i = 0; i < m; i++)
            add_row(c + i * stride, a + i * k + first, b + first * n, rows, n);
    }
}
