/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FFTW's plans, and what stands between them.
 */
#include "transform.h"

#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

number *transform_block(const struct transform *transform)
{
    const size_t bytes = (size_t)transform->n1 * WIDTH * sizeof(number);
    number *block = fftw_malloc(bytes);
    return block == NULL ? NULL : memset(block, 0, bytes);
}

static fftw_plan plan_columns(const struct transform *transform, unsigned effort)
{
    const int length = (int)transform->n1;
    number *block = transform_block(transform);
    fftw_plan plan = NULL;
    if (block != NULL)
        plan = fftw_plan_many_dft(1, &length, WIDTH, block, NULL, WIDTH, 1, block, NULL, WIDTH, 1, FFTW_FORWARD, effort);
    fftw_free(block);
    return plan;
}

/* Without what C wants for infinite parts, which costs a test for each product. */
static inline number times(number a, number b)
{
    const double re = creal(a) * creal(b) - cimag(a) * cimag(b);
    const double im = creal(a) * cimag(b) + cimag(a) * creal(b);
    return number_of(re, im);
}

/* w^j */
static inline number factor(const struct transform *transform, long j)
{
    return times(transform->coarse[j >> transform->bits], transform->fine[j & ((1L << transform->bits) - 1)]);
}

static int make_factors(struct transform *transform)
{
    while (1L << 2 * transform->bits < transform->n)
        transform->bits++;
    const long step = 1L << transform->bits;
    transform->fine = malloc((size_t)step * sizeof(number));
    transform->coarse = malloc((size_t)step * sizeof(number));
    transform->steps = transform_block(transform);
    if (transform->fine == NULL || transform->coarse == NULL || transform->steps == NULL)
        return -1;
    for (long j = 0; j < step; j++) {
        transform->fine[j] = root_of_one(transform->n, j);
        transform->coarse[j] = root_of_one(transform->n, j * step % transform->n);
    }
    for (long k1 = 0; k1 < transform->n1; k1++)
        for (long c = 0; c < WIDTH; c++)
            transform->steps[k1 * WIDTH + c] = root_of_one(transform->n, k1 * c % transform->n);
    return 0;
}

int transform_create(struct transform *transform, long n, unsigned effort)
{
    *transform = (struct transform){.n = n, .n1 = divisor_near_root(n)};
    transform->n2 = n / transform->n1;
    transform->plan1 = plan_columns(transform, effort);
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
    fftw_free(transform->steps);
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

void transform_columns(const struct transform *transform, number *block)
{
    fftw_execute_dft(transform->plan1, block, block);
}

/* Two numbers: one instruction of AVX2 handles both. */
typedef double pair __attribute__((vector_size(32), aligned(16), may_alias));

/* As times(), of two and two numbers. */
static inline void times_pair(const pair *a, const pair *b, pair *product)
{
    const pair re = __builtin_shufflevector(*a, *a, 0, 0, 2, 2), im = __builtin_shufflevector(*a, *a, 1, 1, 3, 3);
    const pair turned = __builtin_shufflevector(*b, *b, 1, 0, 3, 2) * (pair){-1, 1, -1, 1};
    *product = re * *b + im * turned;
}

/* AVX2 is used where the processor has it, as FFTW does. ThreadSanitizer is not ready yet when the loader chooses, and clang 14
 * does not find the clones from another file. */
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

FOR_EACH_PROCESSOR void transform_twiddle(const struct transform *transform, long i2, const number *block, long k1, long rows,
                                          number *to, long to_stride, long width)
{
    number row[WIDTH];
    for (long k = k1; k < k1 + rows; k++, to += to_stride) {
        const number own = factor(transform, k * i2);
        const pair both = {creal(own), cimag(own), creal(own), cimag(own)};
        const pair *steps = (const pair *)(transform->steps + k * WIDTH), *from = (const pair *)(block + k * WIDTH);
        pair *products = (pair *)(width == WIDTH ? to : row), factors;
        for (int p = 0; p < WIDTH / 2; p++) {
            times_pair(&both, &steps[p], &factors);
            times_pair(&factors, &from[p], &products[p]);
        }
        if (width != WIDTH)
            memcpy(to, row, (size_t)width * sizeof *to);
    }
}

void transform_copy(number *to, long to_stride, const number *from, long from_stride, long rows, long width)
{
    for (long row = 0; row < rows; row++)
        memcpy(to + row * to_stride, from + row * from_stride, (size_t)width * sizeof *to);
}
