/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A part writes its rows of `whole` again only after a sum over all parts that each of them enters with
 * what it has computed from `whole`: so nobody reads it any more.
 */
#include "solver.h"

#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int solver_create(struct solver *solver, const struct problem *problem, int part, int parts)
{
    solver->problem = problem;
    solver->first = app_block_first(problem->order, part, parts);
    solver->count = app_block_first(problem->order, part + 1, parts) - solver->first;
    double **const vectors[] = {&solver->x, &solver->z, &solver->r, &solver->q};
    bool lacking = false;
    for (int i = 0; i < 4; i++) {
        *vectors[i] = calloc((size_t)solver->count + 1, sizeof(double));
        lacking = lacking || *vectors[i] == NULL;
    }
    return matrix_create(problem, solver->first, solver->count, &solver->matrix) != 0 || lacking ? -1 : 0;
}

void solver_destroy(struct solver *solver)
{
    matrix_destroy(&solver->matrix);
    free(solver->q);
    free(solver->r);
    free(solver->z);
    free(solver->x);
}

static double product(const double *a, const double *b, long count)
{
    double sum = 0;
    for (long i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static double dot(struct solver *solver, const double *a, const double *b)
{
    return solver->add_up(solver, product(a, b, solver->count));
}

/* One step; gives the new r.r. */
static double step(struct solver *solver, double rho)
{
    double *restrict p = solver->whole + solver->first, *restrict z = solver->z, *restrict r = solver->r,
                     *restrict q = solver->q;
    solver->share(solver);
    matrix_multiply(&solver->matrix, solver->whole, q);
    const double alpha = rho / dot(solver, p, q);
    double mine = 0;
    for (long i = 0; i < solver->count; i++) {
        z[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        mine += r[i] * r[i];
    }
    const double next = solver->add_up(solver, mine), beta = next / rho;
    for (long i = 0; i < solver->count; i++)
        p[i] = r[i] + beta * p[i];
    return next;
}

/* z = an approximate solution of A z = x. */
static void solve(struct solver *solver)
{
    const size_t bytes = (size_t)solver->count * sizeof(double);
    memset(solver->z, 0, bytes);
    memcpy(solver->r, solver->x, bytes);
    memcpy(solver->whole + solver->first, solver->x, bytes);
    double rho = dot(solver, solver->r, solver->r);
    for (int i = 0; i < PROBLEM_STEPS; i++)
        rho = step(solver, rho);
}

double solver_run(struct solver *solver)
{
    double zeta = 0;
    for (long i = 0; i < solver->count; i++)
        solver->x[i] = 1;
    for (int iteration = 0; iteration < solver->problem->iterations; iteration++) {
        solve(solver);
        zeta = solver->problem->shift + 1 / dot(solver, solver->x, solver->z);
        const double scale = 1 / sqrt(dot(solver, solver->z, solver->z));
        for (long i = 0; i < solver->count; i++)
            solver->x[i] = scale * solver->z[i];
    }
    return zeta;
}
