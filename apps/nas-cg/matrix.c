/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The matrix is the sum of w_i x_i x_i' over all i, of sparse random vectors x_i whose i-th element is 1/2,
 * and of 0.1 - shift on the diagonal; the weights w fall geometrically from 1 to 0.1. Row r has entries
 * from those vectors that have an element r.
 */
#include "matrix.h"

#include "nas.h"

#include <math.h>
#include <stdlib.h>

#define SEED  UINT64_C(314159265)
#define LEAST 0.1 /* the smallest weight, and what the diagonal has besides */
#define OWN   0.5 /* the element of a vector that always is there */

/* All vectors, each with up to `width` elements. */
struct vectors {
    int width;
    int32_t *count;
    int32_t *place;
    double *value;
};

/* For every row of mine, which vectors have an element there. */
struct index {
    long *start;
    int32_t *vector;
};

/* Sums of a row under way. */
struct row {
    double *sum;     /* by column */
    int32_t *column; /* those that are there */
    int32_t count;
    bool *is_there; /* by column */
};

static bool has_place(const int32_t *places, int count, int32_t place)
{
    for (int i = 0; i < count; i++)
        if (places[i] == place)
            return true;
    return false;
}

/* A vector's random elements: places are drawn below a power of two, and drawn again where there is none or
 * one already. */
static uint64_t draw(uint64_t x, const struct problem *problem, double limit, int32_t *places,
                     double *values)
{
    for (int count = 0; count < problem->entries;) {
        x = nas_next(x);
        const double value = nas_fraction(x);
        x = nas_next(x);
        const int32_t place = (int32_t)(limit * nas_fraction(x));
        if (place >= problem->order || has_place(places, count, place))
            continue;
        places[count] = place;
        values[count++] = value;
    }
    return x;
}

static int set_own(int32_t *places, double *values, int count, int32_t own)
{
    int i = 0;
    while (i < count && places[i] != own)
        i++;
    places[i] = own;
    values[i] = OWN;
    return i < count ? count : count + 1;
}

static int vectors_create(const struct problem *problem, struct vectors *vectors)
{
    const size_t order = (size_t)problem->order;
    vectors->width = problem->entries + 1;
    vectors->count = malloc(order * sizeof *vectors->count);
    vectors->place = malloc(order * (size_t)vectors->width * sizeof *vectors->place);
    vectors->value = malloc(order * (size_t)vectors->width * sizeof *vectors->value);
    if (vectors->count == NULL || vectors->place == NULL || vectors->value == NULL)
        return -1;
    double limit = 1;
    while (limit < problem->order)
        limit *= 2;
    uint64_t x = nas_next(SEED); /* the first number is not used */
    for (long i = 0; i < problem->order; i++) {
        int32_t *places = vectors->place + i * vectors->width;
        double *values = vectors->value + i * vectors->width;
        x = draw(x, problem, limit, places, values);
        vectors->count[i] = set_own(places, values, problem->entries, (int32_t)i);
    }
    return 0;
}

static void vectors_destroy(struct vectors *vectors)
{
    free(vectors->value);
    free(vectors->place);
    free(vectors->count);
}

/* Goes through all elements in my rows twice: to count them, and to enter their vectors. */
static int index_create(const struct problem *problem, const struct vectors *vectors, long first,
                        long count, struct index *index)
{
    const long elements = (long)problem->order * vectors->width;
    index->start = calloc((size_t)count + 2, sizeof *index->start);
    index->vector = malloc((size_t)elements * sizeof *index->vector);
    if (index->start == NULL || index->vector == NULL)
        return -1;
    for (int pass = 0; pass < 2; pass++) {
        for (long i = 0; i < problem->order; i++)
            for (int k = 0; k < vectors->count[i]; k++) {
                const long row = vectors->place[i * vectors->width + k] - first;
                if (row < 0 || row >= count)
                    continue;
                if (pass == 0)
                    index->start[row + 2]++;
                else
                    index->vector[index->start[row + 1]++] = (int32_t)i;
            }
        for (long row = 0; pass == 0 && row < count; row++)
            index->start[row + 2] += index->start[row + 1];
    }
    return 0;
}

static void index_destroy(struct index *index)
{
    free(index->vector);
    free(index->start);
}

static int row_create(const struct problem *problem, struct row *row)
{
    const size_t order = (size_t)problem->order;
    row->sum = calloc(order, sizeof *row->sum);
    row->column = malloc(order * sizeof *row->column);
    row->is_there = calloc(order, sizeof *row->is_there);
    return row->sum == NULL || row->column == NULL || row->is_there == NULL ? -1 : 0;
}

static void row_destroy(struct row *row)
{
    free(row->is_there);
    free(row->column);
    free(row->sum);
}

static void row_add(struct row *row, int32_t column, double value)
{
    if (!row->is_there[column]) {
        row->is_there[column] = true;
        row->sum[column] = 0;
        row->column[row->count++] = column;
    }
    row->sum[column] += value;
}

/* What vector i gives to the row of number `number`. */
static void row_add_vector(struct row *row, const struct vectors *vectors, long i, long number,
                           double weight)
{
    const int32_t *places = vectors->place + i * vectors->width;
    const double *values = vectors->value + i * vectors->width;
    double own = 0;
    for (int k = 0; k < vectors->count[i]; k++)
        if (places[k] == number)
            own = values[k];
    for (int k = 0; k < vectors->count[i]; k++)
        row_add(row, places[k], weight * own * values[k]);
}

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Moves the row to the end of the matrix, and empties it. */
static void row_store(struct row *row, struct matrix *matrix)
{
    long end = matrix->start[matrix->rows];
    qsort(row->column, (size_t)row->count, sizeof *row->column, compare);
    for (int32_t k = 0; k < row->count; k++) {
        const int32_t column = row->column[k];
        matrix->column[end] = column;
        matrix->value[end++] = row->sum[column];
        row->is_there[column] = false;
    }
    row->count = 0;
    matrix->start[++matrix->rows] = end;
}

static void fill(const struct problem *problem, const struct vectors *vectors, const struct index *index,
                 long first, long count, struct row *row, struct matrix *matrix)
{
    for (long r = 0; r < count; r++) {
        for (long k = index->start[r]; k < index->start[r + 1]; k++) {
            const long i = index->vector[k];
            row_add_vector(row, vectors, i, first + r, pow(LEAST, (double)i / problem->order));
        }
        row_add(row, (int32_t)(first + r), LEAST - problem->shift);
        row_store(row, matrix);
    }
}

/* Room for all entries, were none of them at the same place. */
static int reserve(const struct vectors *vectors, const struct index *index, long count,
                   struct matrix *matrix)
{
    const size_t most = (size_t)(index->start[count] * vectors->width + count);
    matrix->start = calloc((size_t)count + 1, sizeof *matrix->start);
    matrix->column = malloc((most + 1) * sizeof *matrix->column);
    matrix->value = malloc((most + 1) * sizeof *matrix->value);
    return matrix->start == NULL || matrix->column == NULL || matrix->value == NULL ? -1 : 0;
}

int matrix_create(const struct problem *problem, long first, long count, struct matrix *matrix)
{
    struct vectors vectors = {0};
    struct index index = {0};
    struct row row = {0};
    *matrix = (struct matrix){0};
    int status = -1;
    if (vectors_create(problem, &vectors) == 0 &&
        index_create(problem, &vectors, first, count, &index) == 0 && row_create(problem, &row) == 0 &&
        reserve(&vectors, &index, count, matrix) == 0) {
        fill(problem, &vectors, &index, first, count, &row, matrix);
        status = 0;
    }
    row_destroy(&row);
    index_destroy(&index);
    vectors_destroy(&vectors);
    return status;
}

void matrix_destroy(struct matrix *matrix)
{
    free(matrix->value);
    free(matrix->column);
    free(matrix->start);
}

void matrix_multiply(const struct matrix *matrix, const double *restrict vector, double *restrict result)
{
    for (long r = 0; r < matrix->rows; r++) {
        double sum = 0;
        for (long k = matrix->start[r]; k < matrix->start[r + 1]; k++)
            sum += matrix->value[k] * vector[matrix->column[k]];
        result[r] = sum;
    }
}
