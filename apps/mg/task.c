/* SPDX-License-Identifier: BSD-3-Clause */
#include "task.h"

#include <math.h>
#include <stdlib.h>

/* The grid that was asked for, or the best. 0, or 1 and the reason is printed. */
static int choose_split(struct task *task)
{
    const int parts = app_workers();
    int grid[3] = {0};
    if (task->grid_text != NULL && !split_parse(task->grid_text, parts, grid))
        return app_fail("--grid: '%s' is not a grid of %d %s, such as %dx1x1", task->grid_text, parts,
                        app_unit, parts);
    if (!split_make(&task->split, parts, task->problem->levels, grid))
        return app_fail("class %c cannot be cut into blocks for %d %s: there are at most %ld along an axis",
                        task->problem->class, parts, app_unit, problem_size(task->problem) / 2);
    return 0;
}

int task_start(int argc, char **argv, const struct app_option *own, struct task *task)
{
    task->rounds = 1;
    struct app_option options[2 + TASK_OWN_MOST + 1] = {
        {"--class", APP_CHOICE, &task->class, "the problem's size", 0, 0, PROBLEM_CLASSES},
        {"--rounds", APP_COUNT, &task->rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL}};
    int count = 2;
    while (own != NULL && own->kind != APP_END)
        options[count++] = *own++;
    options[count].kind = APP_END;
    const int status =
        app_start(argc, argv, "NAS benchmark MG: Poisson's equation in a cube, by multigrid.", options);
    if (status != APP_RUN)
        return status;
    task->problem = problem_of(task->class);
    task->norm = task->problem->norm;
    return choose_split(task) == 0 ? APP_RUN : 1;
}

int task_create_v(const struct task *task, int part, struct box *v)
{
    long first[3], count[3];
    split_block(&task->split, part, task->problem->levels, first, count);
    double *cells = malloc((size_t)box_cells(count) * sizeof *cells);
    *v = box_of(count, count, cells);
    return cells == NULL ? -1 : 0;
}

void task_find_charges(const struct task *task, int part, struct charges *charges)
{
    long first[3], count[3];
    split_block(&task->split, part, task->problem->levels, first, count);
    charges_find(problem_size(task->problem), first, count, charges);
}

void task_place_charges(const struct task *task, int part, const struct charges *charges, struct box *v)
{
    long first[3], count[3];
    split_block(&task->split, part, task->problem->levels, first, count);
    charges_place(charges, problem_size(task->problem), first, v);
}

void task_note(struct task *task, double sum, double exchanged)
{
    const double norm = multigrid_norm(task->problem, sum), wanted = task->problem->norm;
    if (isfinite(task->norm) && !(fabs(norm - wanted) < fabs(task->norm - wanted)))
        task->norm = norm;
    task->exchanged += exchanged;
}

int task_end(const struct task *task, double seconds)
{
    const struct problem *problem = task->problem;
    const long size = problem_size(problem);
    const int *grid = task->split.grid;
    app_report(seconds, problem_operations(problem),
               "class %c, %ld x %ld x %ld, %d iterations, %d x %d x %d blocks", problem->class, size, size,
               size, problem->iterations, grid[0], grid[1], grid[2]);
    if (grid[0] * grid[1] * grid[2] > 1)
        app_say("at least %.6f s of it in exchanges", task->exchanged / (double)task->rounds);
    if (!problem_is_solved(problem, task->norm))
        return app_fail("the residual's norm is %.13e; published for class %c: %.13e", task->norm,
                        problem->class, problem->norm);
    app_say("verified: the residual's norm is %.13e, published: %.13e", task->norm, problem->norm);
    return 0;
}
