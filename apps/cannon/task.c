/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options, the line that tells the time, the verdict.
 */
#include "task.h"

#include "blas.h"

#include <stdlib.h>

#define MOST_BY_BLAS ((double)(1L << 30)) /* m k n up to which the check multiplies all over again */

int task_start(int argc, char **argv, const struct app_option *own, struct task *task)
{
    *task = (struct task){.size = 1000, .rounds = 1};
    const double most = 100000;
    struct app_option options[5 + TASK_OWN_MOST + 1] = {
        {"--size", APP_COUNT, &task->size, "rows and columns of both matrices", 1, most, NULL},
        {"--rows", APP_COUNT, &task->m, "rows of the first; 0: --size", 0, most, NULL},
        {"--inner", APP_COUNT, &task->k, "columns of the first, rows of the second; 0: --size", 0, most,
         NULL},
        {"--columns", APP_COUNT, &task->n, "columns of the second; 0: --size", 0, most, NULL},
        {"--rounds", APP_COUNT, &task->rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL}};
    int count = 5;
    while (own != NULL && own->kind != APP_END)
        options[count++] = *own++;
    options[count].kind = APP_END;
    int status =
        app_start(argc, argv, "Multiplies two matrices by Cannon's algorithm, with a BLAS.", options);
    if (status != APP_RUN)
        return status;
    task->grid = grid_of(app_workers(), task->m ? task->m : task->size, task->k ? task->k : task->size,
                         task->n ? task->n : task->size);
    task->row = app_rank() / task->grid.columns;
    task->column = app_rank() % task->grid.columns;
    return APP_RUN;
}

void task_report(const struct task *task, double seconds)
{
    const struct grid *grid = &task->grid;
    app_report(seconds, 2.0 * (double)grid->m * (double)grid->k * (double)grid->n,
               "%ld x %ld times %ld x %ld by a grid of %d x %d in %d steps", grid->m, grid->k, grid->k,
               grid->n, grid->rows, grid->columns, grid->panels);
}

static long differing(const double *a, const double *b, long count)
{
    long found = 0;
    for (long i = 0; i < count; i++)
        found += a[i] != b[i];
    return found;
}

/* Elements of a block that one call of the BLAS, for all of k at once, gives otherwise; -1 without memory.
 */
static long wrong_elements(const double *c, struct span rows, struct span columns, long k)
{
    const struct span all = {0, k};
    double *a = malloc((size_t)(rows.count * k + 1) * sizeof *a);
    double *b = malloc((size_t)(columns.count * k + 1) * sizeof *b);
    double *product = calloc((size_t)(rows.count * columns.count + 1), sizeof *product);
    long wrong = -1;
    if (a != NULL && b != NULL && product != NULL) {
        matrix_fill(a, MATRIX_A, rows, all);
        matrix_fill(b, MATRIX_B, all, columns);
        blas_add_product(product, a, b, rows.count, k, columns.count, 0, columns.count);
        wrong = differing(product, c, rows.count * columns.count);
    }
    free(a);
    free(b);
    free(product);
    return wrong;
}

int task_verify(const struct task *task, const double *c)
{
    const struct grid *grid = &task->grid;
    const struct span mine = grid_rows(grid, task->row), columns = grid_columns(grid, task->column);
    long rows = matrix_wrong_rows(c, mine, columns, grid->k), elements = 0;
    bool small = (double)grid->m * (double)grid->k * (double)grid->n <= MOST_BY_BLAS;
    if (small)
        elements = wrong_elements(c, mine, columns, grid->k);
    if (app_agree(rows < 0 || elements < 0) != 0)
        return app_fail("not enough memory to check the product");
    rows = app_sum_long(rows);
    elements = app_sum_long(elements);
    if (rows > 0 || elements > 0)
        return app_fail("the product is wrong: %ld parts of rows (Freivalds), %ld elements (BLAS)", rows,
                        elements);
    app_say("verified: every row by random vectors%s",
            small ? ", every element by the BLAS for all of it at once" : "");
    return 0;
}
