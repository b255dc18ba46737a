/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FFTW's plans, and what stands between them.
 */
#include "transform.h"

#include "plain.h"

#include <math.h>
#include <stdlib.h>

static number number_of(double re, double im)
{
    const union {
        double part[2];
        number whole;
    } both = {{re, im}};
    return both.whole;
}

static long divisor_near_root(long n)
{
    long divisor = 1;
    for (long d = 2; d <= n / d; d++)
        if (n % d == 0)
            divisor = d;
    return divisor;
}

static number root_of_one(long n, long j)
{
    const double angle = -2 * M_PI * ((double)j / (double)n);
    return number_of(cos(angle), sin(angle));
}

fftw_plan transform_plan(long length, unsigned effort)
{
    number *row = fftw_malloc((size_t)length * sizeof *row);
    fftw_plan plan = NULL;
    if (row != NULL)
        plan = fftw_plan_dft_1d((int)length, row, row, FFTW_FORWARD, effort);
    fftw_free(row);
    return plan;
}

static int make_factors(struct transform *transform)
{
    while (1L << 2 * transform->bits < transform->n)
        transform->bits++;
    const long step = 1L << transform->bits;
    transform->fine = malloc((size_t)step * sizeof(number));
    transform->coarse = malloc((size_t)step * sizeof(number));
    if (transform->fine == NULL || transform->coarse == NULL)
        return -1;
    for (long j = 0; j < step; j++) {
        transform->fine[j] = root_of_one(transform->n, j);
        transform->coarse[j] = root_of_one(transform->n, j * step % transform->n);
    }
    return 0;
}

int transform_create(struct transform *transform, long n, unsigned effort)
{
    *transform = (struct transform){.n = n, .n1 = divisor_near_root(n)};
    transform->n2 = n / transform->n1;
    transform->plan1 = transform_plan(transform->n1, effort);
    transform->plan2 = transform_plan(transform->n2, effort);
    if (transform->plan1 != NULL && transform->plan2 != NULL && make_factors(transform) == 0)
        return 0;
    transform_destroy(transform);
    return -1;
}

void transform_destroy(struct transform *transform)
{
    fftw_destroy_plan(transform->plan1);
    fftw_destroy_plan(transform->plan2);
    free(transform->coarse);
    free(transform->fine);
    *transform = (struct transform){0};
}

number transform_input(long t, long j)
{
    uint64_t state = (uint64_t)t << 40 ^ (uint64_t)j;
    const double re = (double)(int64_t)app_random(&state) * 0x1p-63;
    const double im = (double)(int64_t)app_random(&state) * 0x1p-63;
    return number_of(re, im);
}

void transform_rows(fftw_plan plan, number *row, long length, long count)
{
    for (long i = 0; i < count; i++)
        fftw_execute_dft(plan, row + i * length, row + i * length);
}

/* Without what C wants for infinite parts, which costs a test for each product. */
static inline number times(number a, number b)
{
    const double re = creal(a) * creal(b) - cimag(a) * cimag(b);
    const double im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return number_of(re, im);
}

void transform_twiddle(const struct transform *transform, long i2, number *column)
{
    const long mask = (1L << transform->bits) - 1;
    for (long k1 = 0, j = 0; k1 < transform->n1; k1++, j += i2)
        column[k1] = times(column[k1],
                           times(transform->coarse[j >> transform->bits], transform->fine[j & mask]));
}

/* Numbers on a side of the square that is transposed at a time: two cache lines. */
#define TILE 8

void transform_transpose(number *to, long to_stride, const number *from, long from_stride, long rows,
                         long columns)
{
    for (long row = 0; row < rows; row += TILE)
        for (long column = 0; column < columns; column += TILE) {
            const long row_end = row + TILE < rows ? row + TILE : rows;
            const long column_end = column + TILE < columns ? column + TILE : columns;
            for (long c = column; c < column_end; c++)
                for (long r = row; r < row_end; r++)
                    to[c * to_stride + r] = from[r * from_stride + c];
        }
}
