/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Figures from the report RNR-94-007 (classes A and B) and from what NPB 2 and 3 publish for all classes.
 */
#include "problem.h"

#include <math.h>

#define TOLERANCE 1e-10

const struct problem *problem_of(int class)
{
    static const struct problem problems[] = {
        {'S', 1400, 7, 15, 10.0, 8.5971775078648},     {'W', 7000, 8, 15, 12.0, 10.362595087124},
        {'A', 14000, 11, 15, 20.0, 17.130235054029},   {'B', 75000, 13, 75, 60.0, 22.712745482631},
        {'C', 150000, 15, 75, 110.0, 28.973605592845},
    };
    return &problems[class];
}

bool problem_is_solved(const struct problem *problem, double zeta)
{
    return fabs(zeta - problem->zeta) <= TOLERANCE * problem->zeta;
}

double problem_operations(const struct problem *problem)
{
    const double row = problem->entries * (problem->entries + 1.0);
    return 2.0 * problem->iterations * problem->order * (3 + row + PROBLEM_STEPS * (5 + row) + 3);
}
