/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements by hashing their place, and the check.
 */
#include "matrix.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define VECTORS     2
#define VECTOR_BITS 10 /* elements of the vectors are below 2^10 */

/* A place, scrambled (the finisher of splitmix64). */
static uint64_t scramble(uint64_t place)
{
    uint64_t z = place * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    return z ^ z >> 27;
}

static double element(enum matrix which, long row, long column)
{
    uint64_t bits = scramble(((uint64_t)row << 32 | (uint64_t)column) * 2 + which) >> 32;
    return (double)(int)(bits * 17 >> 32) - 8;
}

static double random_element(int vector, long place)
{
    return (double)(scramble((uint64_t)place * VECTORS + (uint64_t)vector + 1) >> (64 - VECTOR_BITS));
}

void matrix_fill(double *block, enum matrix which, struct span rows, struct span columns)
{
    for (long r = 0; r < rows.count; r++)
        for (long c = 0; c < columns.count; c++)
            *block++ = element(which, rows.first + r, columns.first + c);
}

/* Rows of two columns each: the vectors, and what a matrix makes of them. */
typedef double (*vectors)[VECTORS];

static void add_times(double *sum, double factor, const double *row)
{
    for (int v = 0; v < VECTORS; v++)
        sum[v] += factor * row[v];
}

/* The vectors' product with those columns of B. */
static void through_b(vectors product, vectors random, long k, struct span columns)
{
    for (long i = 0; i < k; i++)
        for (long j = 0; j < columns.count; j++)
            add_times(product[i], element(MATRIX_B, i, columns.first + j), random[j]);
}

/* Whether a row of C, times the vectors, is the row of A times what B makes of them. */
static bool row_is_right(const double *c, struct span columns, long row, long k, vectors random,
                         vectors product)
{
    double wanted[VECTORS] = {0}, found[VECTORS] = {0};
    for (long i = 0; i < k; i++)
        add_times(wanted, element(MATRIX_A, row, i), product[i]);
    for (long j = 0; j < columns.count; j++)
        add_times(found, c[j], random[j]);
    for (int v = 0; v < VECTORS; v++)
        if (found[v] != wanted[v])
            return false;
    return true;
}

long matrix_wrong_rows(const double *c, struct span rows, struct span columns, long k)
{
    vectors random = calloc((size_t)(columns.count + k), sizeof *random);
    if (random == NULL)
        return -1;
    vectors product = random + columns.count;
    for (long j = 0; j < columns.count; j++)
        for (int v = 0; v < VECTORS; v++)
            random[j][v] = random_element(v, columns.first + j);
    through_b(product, random, k, columns);
    long wrong = 0;
    for (long r = 0; r < rows.count; r++)
        wrong += !row_is_right(c + r * columns.count, columns, rows.first + r, k, random, product);
    free(random);
    return wrong;
}
