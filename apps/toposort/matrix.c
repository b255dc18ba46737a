/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rows are made when they are asked for, each from a random number of its own.
 */
#include "matrix.h"

#include "plain.h"

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

struct shuffle shuffle_make(long order, uint64_t *random)
{
    struct shuffle shuffle = {order, app_random(random) % (uint64_t)order,
                              app_random(random) % (uint64_t)order};
    while (common_divisor(shuffle.factor, (uint64_t)order) != 1)
        shuffle.factor = (shuffle.factor + 1) % (uint64_t)order;
    return shuffle;
}

long shuffle_map(const struct shuffle *shuffle, long i)
{
    return (long)(((unsigned __int128)i * shuffle->factor + shuffle->shift) % (uint64_t)shuffle->order);
}

void matrix_make(struct matrix *matrix, long order, long extra, long seed)
{
    uint64_t random = (uint64_t)seed;
    *matrix = (struct matrix){.order = order, .extra = extra, .seed = app_random(&random)};
    matrix->rows = shuffle_make(order, &random);
    matrix->columns = shuffle_make(order, &random);
}

static bool holds(const long *column, long count, long wanted)
{
    for (long i = 0; i < count; i++)
        if (column[i] == wanted)
            return true;
    return false;
}

long matrix_row(const struct matrix *matrix, long row, long *column)
{
    const long place = shuffle_map(&matrix->rows, row), right = matrix->order - place - 1;
    uint64_t random = matrix->seed + (uint64_t)place;
    random = app_random(&random);
    long count = 0;
    column[count++] = shuffle_map(&matrix->columns, place);
    for (long i = 0; i < matrix->extra && right > 0; i++) {
        const long other = shuffle_map(&matrix->columns, place + 1 + app_random_below(&random, right));
        if (!holds(column, count, other))
            column[count++] = other;
    }
    return count;
}
