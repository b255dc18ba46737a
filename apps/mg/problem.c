/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Figures from the report RNR-94-007 (classes A and B) and the tables of NPB 2 and 3 (the others, and the
 * norms).
 */
#include "problem.h"

#include "nas.h"

#include <math.h>
#include <string.h>

#define SEED       UINT64_C(314159265)
#define TOLERANCE  1e-8
#define OPERATIONS 58.0 /* per cell and iteration */

#define SMOOTHER_SMALL                                                                                     \
    {                                                                                                      \
        -3.0 / 8.0, 1.0 / 32.0, -1.0 / 64.0, 0.0                                                           \
    }
#define SMOOTHER_LARGE                                                                                     \
    {                                                                                                      \
        -3.0 / 17.0, 1.0 / 33.0, -1.0 / 61.0, 0.0                                                          \
    }

const struct problem *problem_of(int class)
{
    static const struct problem problems[] = {
        {'S', 5, 4, SMOOTHER_SMALL, 0.5307707005734e-04},
        {'W', 7, 4, SMOOTHER_SMALL, 0.6467329375339e-05},
        {'A', 8, 4, SMOOTHER_SMALL, 0.2433365309069e-05},
        {'B', 8, 20, SMOOTHER_LARGE, 0.1800564401355e-05},
        {'C', 9, 20, SMOOTHER_LARGE, 0.5706732285740e-06},
    };
    return &problems[class];
}

bool problem_is_solved(const struct problem *problem, double norm)
{
    return fabs(norm - problem->norm) <= TOLERANCE * problem->norm;
}

double problem_operations(const struct problem *problem)
{
    return OPERATIONS * problem->iterations * exp2(3.0 * problem->levels);
}

/* Puts a charge in its place among the most extreme; sign is 1 for the largest, -1 for the smallest. */
static void insert(struct charge *list, struct charge charge, double sign)
{
    int place = PROBLEM_CHARGES - 1;
    if (!(sign * charge.value > sign * list[place].value))
        return;
    for (; place > 0 && sign * charge.value > sign * list[place - 1].value; place--)
        list[place] = list[place - 1];
    list[place] = charge;
}

static void clear(struct charges *charges)
{
    for (int i = 0; i < PROBLEM_CHARGES; i++) {
        charges->high[i] = (struct charge){-1.0, -1};
        charges->low[i] = (struct charge){2.0, -1};
    }
}

void charges_find(long size, const long first[3], const long count[3], struct charges *charges)
{
    clear(charges);
    for (long k = first[0]; k < first[0] + count[0]; k++)
        for (long j = first[1]; j < first[1] + count[1]; j++) {
            const long cell = (k * size + j) * size + first[2];
            uint64_t x = nas_jump(SEED, (uint64_t)cell);
            for (long i = 0; i < count[2]; i++) {
                x = nas_next(x);
                const struct charge charge = {nas_fraction(x), cell + i};
                insert(charges->high, charge, 1.0);
                insert(charges->low, charge, -1.0);
            }
        }
}

void charges_join(struct charges *charges, const struct charges *others)
{
    for (int i = 0; i < PROBLEM_CHARGES; i++) {
        insert(charges->high, others->high[i], 1.0);
        insert(charges->low, others->low[i], -1.0);
    }
}

static void place(long cell, long size, const long first[3], struct box *v, double value)
{
    const long at[3] = {cell / size / size - first[0], cell / size % size - first[1],
                        cell % size - first[2]};
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < 0 || at[axis] >= v->count[axis])
            return;
    box_row(v, at[0] + 1, at[1] + 1)[at[2] + 1] = value;
}

void charges_place(const struct charges *charges, long size, const long first[3], struct box *v)
{
    for (long k = 1; k <= v->count[0]; k++)
        for (long j = 1; j <= v->count[1]; j++)
            memset(box_row(v, k, j), 0, (size_t)(v->count[2] + 2) * sizeof(double));
    for (int i = 0; i < PROBLEM_CHARGES; i++) {
        place(charges->high[i].cell, size, first, v, 1.0);
        place(charges->low[i].cell, size, first, v, -1.0);
    }
}
