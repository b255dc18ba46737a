/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Conjugate gradients with a diagonal preconditioner: solves A x = b for a symmetric positive
 * definite A and b = A * (1, ..., 1), then checks ||b - A x||. See README.md.
 */
#include "app.h"
#include "checkpoint.h"
#include "csr.h"
#include "mtx.h"
#include "rows.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *path;
    long grid;
    double tolerance;
    long iterations; /* 0: ten times the order */
    const char *checkpoint; /* the folder; NULL: none */
    long every;             /* iterations from one to the next */
    bool survives;
    double begin; /* when this process began to set up the vectors */
};

/* How far the solution is: what a checkpoint needs beside the vectors. Variables of a program are
 * symmetric. */
static struct {
    double rz, norm; /* r.z; ||r|| as the recurrence has it */
    long iteration;
} now;

/* My part of each vector, but for whole: all of the one that A is to be multiplied with. */
struct solver {
    const struct rows *matrix;
    double *whole;     /* symmetric, of the matrix's order */
    double *mine;      /* symmetric: what I contribute to whole */
    double *diagonal;  /* inverted */
    double *x, *b, *r, *z, *p, *q;
    double *vectors; /* symmetric: the memory of the seven above */
};

/* Static, and so symmetric: with --survive new processes have it from the checkpoint, pointers to symmetric
 * memory included. */
static struct {
    struct rows matrix;
    struct solver solver;
    double b_norm;
} problem;

/* The five-point Laplacian of a square grid with walls around it. */
static int make_laplacian(long grid, struct csr *matrix)
{
    if (csr_create(matrix, grid * grid, 5 * grid * grid, true) != 0)
        return -1;
    long position = 0;
    for (long row = 0; row < grid * grid; row++) {
        const long x = row % grid, y = row / grid;
        const struct {
            bool there;
            long step;
            double value;
        } points[] = {{y > 0, -grid, -1.0},
                      {x > 0, -1, -1.0},
                      {true, 0, 4.0},
                      {x < grid - 1, 1, -1.0},
                      {y < grid - 1, grid, -1.0}};
        for (int i = 0; i < 5; i++) {
            if (!points[i].there)
                continue;
            matrix->column[position] = row + points[i].step;
            matrix->value[position++] = points[i].value;
        }
        matrix->start[row + 1] = position;
    }
    return 0;
}

/* What must hold before it makes sense to start, and can be told by looking at the matrix. */
static int check_matrix(const char *path, const struct csr *matrix)
{
    for (long r = 0; r < matrix->order; r++) {
        long k = csr_find(matrix, r, r);
        if (k < 0 || !(matrix->value[k] > 0))
            return app_fail("%s: not positive definite: the diagonal entry of row %ld is not "
                            "positive", path, r + 1);
    }
    if (!csr_is_symmetric(matrix))
        return app_fail("%s: conjugate gradients need a symmetric matrix; this one is not", path);
    return 0;
}

/* On PE 0. 0, or 1 and the reason is printed. */
static int load_matrix(const struct settings *settings, struct csr *matrix)
{
    if (settings->path == NULL)
        return make_laplacian(settings->grid, matrix) == 0
                   ? 0
                   : app_fail("not enough memory for a grid of %ld x %ld", settings->grid,
                              settings->grid);
    char error[1024];
    struct mtx file;
    if (mtx_read(settings->path, &file, error, sizeof error) != 0)
        return app_fail("%s", error);
    int status = 0;
    if (file.rows != file.columns)
        status = app_fail("%s: conjugate gradients need a square matrix; this one is %ld x %ld",
                          settings->path, file.rows, file.columns);
    else if (csr_from_mtx(&file, matrix) != 0)
        status = app_fail("%s: not enough memory for the matrix", settings->path);
    mtx_free(&file);
    return status != 0 ? status : check_matrix(settings->path, matrix);
}

/* Collective. 0, or 1 on all PEs, the reason printed. */
static int solver_create(const struct rows *matrix, struct solver *solver)
{
    *solver = (struct solver){.matrix = matrix};
    long most = 0;
    for (int pe = 0; pe < shmem_n_pes(); pe++)
        if (matrix->block[pe + 1] - matrix->block[pe] > most)
            most = matrix->block[pe + 1] - matrix->block[pe];
    solver->vectors = app_allocate(7 * (size_t)most, sizeof(double), "the vectors");
    if (solver->vectors == NULL)
        return 1;
    double **const vectors[] = {&solver->x, &solver->b, &solver->r,       &solver->z,
                                &solver->p, &solver->q, &solver->diagonal};
    for (int i = 0; i < 7; i++)
        *vectors[i] = solver->vectors + i * most;
    solver->whole = app_allocate((size_t)matrix->order, sizeof(double), "the whole vector");
    if (solver->whole == NULL)
        return 1;
    solver->mine = app_allocate((size_t)most, sizeof(double), "a part of the vector");
    return solver->mine == NULL;
}

static void solver_destroy(struct solver *solver)
{
    if (solver->mine != NULL)
        shmem_free(solver->mine);
    if (solver->whole != NULL)
        shmem_free(solver->whole);
    if (solver->vectors != NULL)
        shmem_free(solver->vectors);
}

/* result = A * vector: the parts of all PEs are collected first. A reduction follows every
 * multiplication here, and no PE leaves it before all have read `whole`. */
static void multiply(struct solver *solver, const double *vector, double *result)
{
    const struct rows *matrix = solver->matrix;
    memcpy(solver->mine, vector, (size_t)matrix->count * sizeof(double));
    shmem_double_collect(SHMEM_TEAM_WORLD, solver->whole, solver->mine, (size_t)matrix->count);
    const long base = matrix->start[matrix->first];
    for (long r = 0; r < matrix->count; r++) {
        const long begin = matrix->start[matrix->first + r] - base;
        const long end = matrix->start[matrix->first + r + 1] - base;
        double sum = 0;
        for (long k = begin; k < end; k++)
            sum += matrix->value[k] * solver->whole[matrix->column[k]];
        result[r] = sum;
    }
}

static double dot_mine(const struct solver *solver, const double *a, const double *b)
{
    double sum = 0;
    for (long i = 0; i < solver->matrix->count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Sums both over all PEs. The two result variables take turns, as in common/app.c. */
static void add_up(double *first, double *second)
{
    static double mine[2], all[2][2];
    static int turn;
    turn ^= 1;
    mine[0] = *first;
    mine[1] = *second;
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, all[turn], mine, 2);
    *first = all[turn][0];
    *second = all[turn][1];
}

/* r = b - A x, z = r / diagonal; gives r.z and ||r||. */
static void restart(struct solver *solver, double *rz, double *norm)
{
    multiply(solver, solver->x, solver->q);
    for (long i = 0; i < solver->matrix->count; i++) {
        solver->r[i] = solver->b[i] - solver->q[i];
        solver->z[i] = solver->r[i] * solver->diagonal[i];
    }
    double rr = dot_mine(solver, solver->r, solver->r);
    *rz = dot_mine(solver, solver->r, solver->z);
    add_up(rz, &rr);
    *norm = sqrt(rr);
}

static void set_up(struct solver *solver, double *b_norm)
{
    const struct rows *matrix = solver->matrix;
    const long base = matrix->start[matrix->first];
    for (long r = 0; r < matrix->count; r++) {
        solver->p[r] = 1.0;
        for (long k = matrix->start[matrix->first + r]; k < matrix->start[matrix->first + r + 1];
             k++)
            if (matrix->column[k - base] == matrix->first + r)
                solver->diagonal[r] = 1.0 / matrix->value[k - base];
    }
    multiply(solver, solver->p, solver->b);
    double bb = dot_mine(solver, solver->b, solver->b), unused = 0;
    add_up(&bb, &unused);
    *b_norm = sqrt(bb);
}

/* One iteration of the recurrence. False when A turns out not to be positive definite. */
static bool iterate(struct solver *solver)
{
    const long n = solver->matrix->count;
    multiply(solver, solver->p, solver->q);
    double pq = dot_mine(solver, solver->p, solver->q), unused = 0;
    add_up(&pq, &unused);
    if (!(pq > 0))
        return false;
    const double alpha = now.rz / pq;
    for (long i = 0; i < n; i++) {
        solver->x[i] += alpha * solver->p[i];
        solver->r[i] -= alpha * solver->q[i];
        solver->z[i] = solver->r[i] * solver->diagonal[i];
    }
    double next = dot_mine(solver, solver->r, solver->z);
    double rr = dot_mine(solver, solver->r, solver->r);
    add_up(&next, &rr);
    const double beta = next / now.rz;
    for (long i = 0; i < n; i++)
        solver->p[i] = solver->z[i] + beta * solver->p[i];
    now.rz = next;
    now.norm = sqrt(rr);
    now.iteration++;
    return true;
}

/* Iterates until the residual that the recurrence carries along is below the goal, then looks at
 * the true one; rounding parts the two, and starting again from x joins them. A run that goes on from a
 * checkpoint begins inside: is_back. Returns the number of iterations, or -1 - that number when A turns out
 * not to be positive definite, or LONG_MIN when there is no checkpoint, the reason printed. */
static long solve(struct solver *solver, const struct settings *settings, bool is_back)
{
    const double goal = settings->tolerance * problem.b_norm;
    const long limit = settings->iterations > 0 ? settings->iterations : 10 * solver->matrix->order;
    if (is_back && shmem_my_pe() == 0)
        printf("cg: goes on after %ld iterations\n", now.iteration);
    if (!is_back)
        restart(solver, &now.rz, &now.norm);
    while (is_back || (now.norm > goal && now.iteration < limit)) {
        if (!is_back)
            memcpy(solver->p, solver->z, (size_t)solver->matrix->count * sizeof(double));
        for (is_back = false; now.norm > goal && now.iteration < limit;) {
            if (!iterate(solver))
                return -1 - now.iteration;
            if (settings->checkpoint != NULL && now.iteration % settings->every == 0 &&
                checkpoint_save(settings->checkpoint, "cg") != 0)
                return LONG_MIN;
        }
        restart(solver, &now.rz, &now.norm);
    }
    return now.iteration;
}

static int report(struct solver *solver, const struct settings *settings, long iterations,
                  double b_norm, double seconds)
{
    const struct rows *matrix = solver->matrix;
    const double norm = now.norm;
    double error = 0;
    for (long i = 0; i < matrix->count; i++)
        error = fmax(error, fabs(solver->x[i] - 1.0));
    error = app_max_double(error);
    if (iterations == LONG_MIN)
        return 1;
    if (iterations < 0)
        return app_fail("not positive definite: found out in iteration %ld", -iterations);
    if (shmem_my_pe() == 0)
        printf("cg: order %ld, %ld entries, %ld iterations, ||b - A x|| / ||b|| = %.2e, "
               "max |x - 1| = %.1e, %.3f s on %d PEs\n",
               matrix->order, matrix->entries, iterations, norm / b_norm, error, seconds,
               shmem_n_pes());
    if (!(norm <= settings->tolerance * b_norm))
        return app_fail("did not converge to %.1e", settings->tolerance);
    if (shmem_my_pe() == 0)
        printf("cg: verified: the residual is at most %.1e\n", settings->tolerance);
    return 0;
}

/* Collective. What the iterations need, and from the checkpoint that this run is to go on from, if there is
 * one, how far they are. 0, or 1 on all PEs, the reason printed. */
static int prepare(struct settings *settings)
{
    struct csr whole = {0};
    bool restored;
    int status = app_agree(shmem_my_pe() == 0 ? load_matrix(settings, &whole) : 0);
    if (status == 0)
        status = rows_scatter(&whole, &problem.matrix);
    csr_free(&whole);
    if (status == 0)
        status = solver_create(&problem.matrix, &problem.solver);
    if (status != 0)
        return status;
    free(problem.matrix.block); /* private, and done with: another process would not have it */
    problem.matrix.block = NULL;
    settings->begin = app_seconds();
    set_up(&problem.solver, &problem.b_norm);
    return checkpoint_restore(&restored);
}

/* checkpoint_survive's work: now says how far it is. */
static int solve_and_report(void *argument, bool is_back)
{
    const struct settings *settings = argument;
    (void)is_back;
    long iterations = solve(&problem.solver, settings, now.iteration > 0);
    return report(&problem.solver, settings, iterations, problem.b_norm, app_seconds() - settings->begin);
}

static int survive(struct settings *settings)
{
    if (settings->checkpoint == NULL)
        return app_fail("--survive goes on from checkpoints: add --checkpoint DIR");
    settings->begin = app_seconds();
    if (!checkpoint_is_new()) {
        int status = prepare(settings);
        if (status == 0)
            status = checkpoint_save(settings->checkpoint, "cg");
        if (status != 0)
            return status;
    }
    return checkpoint_survive(settings->checkpoint, "cg", solve_and_report, settings);
}

static int solve_once(struct settings *settings)
{
    int status = prepare(settings);
    return status != 0 ? status : solve_and_report(settings, false);
}

static int run(int argc, char **argv)
{
    struct settings settings = {.grid = 100, .tolerance = 1e-8, .every = 100};
    const struct app_option options[] = {
        {"FILE", APP_TEXT, &settings.path,
         "a symmetric positive definite Matrix Market file; without: a Laplacian", 0, 0, NULL},
        {"--laplacian", APP_COUNT, &settings.grid, "points per side of the Laplacian's grid", 1,
         20000, NULL},
        {"--tolerance", APP_REAL, &settings.tolerance, "goal for ||b - A x|| / ||b||", 1e-15, 1,
         NULL},
        {"--iterations", APP_COUNT, &settings.iterations,
         "at most so many; 0: ten times the order", 0, 1e12, NULL},
        {"--checkpoint", APP_TEXT, &settings.checkpoint,
         "a folder for checkpoints; oshrun --restart goes on from one", 0, 0, NULL},
        {"--every", APP_COUNT, &settings.every, "iterations from one checkpoint to the next", 1,
         1e12, NULL},
        {"--survive", APP_FLAG, &settings.survives,
         "go on from the last checkpoint where PEs or hosts die (SHEAF_FAILURES=report)", 0, 0, NULL},
        {.kind = APP_END}};
    const char *what = "Solves A x = b by conjugate gradients with a diagonal preconditioner.";
    int status = checkpoint_is_new() ? app_read(argc, argv, what, options) /* which waits for nobody */
                                     : app_start(argc, argv, what, options);
    if (status != APP_RUN)
        return status;
    status = settings.survives ? survive(&settings) : solve_once(&settings);
    solver_destroy(&problem.solver);
    rows_free(&problem.matrix);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
