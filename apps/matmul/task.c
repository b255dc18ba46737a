/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Options, parts, the limit, the verdict.
 */
#include "task.h"

#include "blas.h"

#include <stdlib.h>
#include <string.h>

int task_start(int argc, char **argv, const struct app_option *own, struct task *task)
{
    *task = (struct task){.size = 2048, .rounds = 1};
    const double most = 100000;
    struct app_option options[7 + TASK_OWN_MOST + 1] = {
        {"--method", APP_CHOICE, &task->method, "all of B for everybody, or in turn", 0, 0, "rows|columns"},
        {"--size", APP_COUNT, &task->size, "rows and columns of both matrices", 1, most, NULL},
        {"--rows", APP_COUNT, &task->m, "rows of the first; 0: --size", 0, most, NULL},
        {"--inner", APP_COUNT, &task->k, "columns of the first, rows of the second; 0: --size", 0, most,
         NULL},
        {"--columns", APP_COUNT, &task->n, "columns of the second; 0: --size", 0, most, NULL},
        {"--rounds", APP_COUNT, &task->rounds, "so many times; the median is told", 1, APP_ROUNDS_MOST,
         NULL},
        {"--limit", APP_FLAG, &task->limit, "time a BLAS with the same rows and no communication, too", 0,
         0, NULL}};
    int count = 7;
    while (own != NULL && own->kind != APP_END)
        options[count++] = *own++;
    options[count].kind = APP_END;
    int status =
        app_start(argc, argv, "Multiplies two matrices by rows, or by blocks of columns.", options);
    if (status != APP_RUN)
        return status;
    if (task->limit && !blas_is_there)
        return app_fail("--limit: no BLAS was found when this was built");
    task->m = task->m ? task->m : task->size;
    task->k = task->k ? task->k : task->size;
    task->n = task->n ? task->n : task->size;
    return APP_RUN;
}

static struct span part_of(long count, int part, int parts)
{
    const long first = app_block_first(count, part, parts);
    return (struct span){first, app_block_first(count, part + 1, parts) - first};
}

struct span task_rows(const struct task *task, int part, int parts)
{
    return part_of(task->m, part, parts);
}

struct span task_columns(const struct task *task, int part, int parts)
{
    return part_of(task->n, part, parts);
}

struct span task_inner(const struct task *task)
{
    return (struct span){0, task->k};
}

double *task_allocate(long rows, long columns)
{
    const size_t page = 4096, bytes = (size_t)(rows * columns + 1) * sizeof(double);
    return aligned_alloc(page, (bytes + page - 1) / page * page);
}

/* One core's product, of rows of the calling PE. */
struct limit {
    const struct task *task;
    struct span rows;
    double *a, *b, *c;
};

static void multiply_by_blas(void *state)
{
    const struct limit *limit = state;
    const struct task *task = limit->task;
    memset(limit->c, 0, (size_t)(limit->rows.count * task->n) * sizeof *limit->c);
    blas_add_product(limit->c, limit->a, limit->b, limit->rows.count, task->k, task->n, 0, task->n);
}

/* Collective. 0, or 1 and the reason. */
static int tell_limit(const struct task *task, struct span rows)
{
    struct limit limit = {task, rows, task_allocate(rows.count, task->k), task_allocate(task->k, task->n),
                          task_allocate(rows.count, task->n)};
    int status = app_agree(!limit.a || !limit.b || !limit.c);
    if (status == 0) {
        matrix_fill(limit.a, MATRIX_A, rows, task_inner(task));
        matrix_fill(limit.b, MATRIX_B, task_inner(task), (struct span){0, task->n});
        blas_take_one_core();
        app_say("limit, a BLAS of one core each: %.6f s",
                app_timed(multiply_by_blas, &limit, task->rounds));
    } else {
        app_fail("not enough memory for what --limit multiplies");
    }
    free(limit.a);
    free(limit.b);
    free(limit.c);
    return status;
}

/* Collective. 0, or 1 and the reason. */
static int verify(const struct task *task, struct span rows, const double *c)
{
    long wrong = matrix_wrong_rows(c, rows, (struct span){0, task->n}, task->k);
    if (app_agree(wrong < 0) != 0)
        return app_fail("not enough memory to check the product");
    wrong = app_sum_long(wrong);
    if (wrong > 0)
        return app_fail("the product is wrong: %ld rows of %ld", wrong, task->m);
    app_say("verified: every row by random vectors");
    return 0;
}

int task_run(const struct task *task, void (*work)(void *state), void *state, struct span rows,
             const double *c)
{
    if (task->limit && tell_limit(task, rows) != 0)
        return 1;
    const double seconds = app_timed(work, state, task->rounds);
    app_report(seconds, 2.0 * (double)task->m * (double)task->k * (double)task->n,
               "%s, %ld x %ld times %ld x %ld", task->method == METHOD_ROWS ? "by rows" : "by columns",
               task->m, task->k, task->k, task->n);
    return verify(task, rows, c);
}
