/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same product with OpenMP, to compare with: threads share the rows, and read all of B where it is.
 */
#include "kernel.h"
#include "task.h"

#include <omp.h>

#include <stdlib.h>
#include <string.h>

struct product {
    struct task task;
    int threads;
    double *a, *b, *c; /* whole; of B by columns, the threads' blocks one after another */
};

/* A thread makes what it will read or write most, so that it lies near it. */
static void fill(struct product *product)
{
    const struct task *task = &product->task;
#pragma omp parallel num_threads(product->threads)
    {
        const int me = omp_get_thread_num(), threads = product->threads;
        const struct span rows = task_rows(task, me, threads), columns = task_columns(task, me, threads);
        matrix_fill(product->a + rows.first * task->k, MATRIX_A, rows, task_inner(task));
        memset(product->c + rows.first * task->n, 0, (size_t)(rows.count * task->n) * sizeof *product->c);
        if (task->method == METHOD_COLUMNS)
            matrix_fill(product->b + task->k * columns.first, MATRIX_B, task_inner(task), columns);
        else if (me == 0)
            matrix_fill(product->b, MATRIX_B, task_inner(task), (struct span){0, task->n});
    }
}

/* The thread's rows of C. */
static void multiply_rows(const struct product *product, int me, struct span rows)
{
    const struct task *task = &product->task;
    const double *a = product->a + rows.first * task->k;
    double *c = product->c + rows.first * task->n;
    memset(c, 0, (size_t)(rows.count * task->n) * sizeof *c);
    if (task->method == METHOD_ROWS) {
        kernel_add_product(c, task->n, a, product->b, rows.count, task->k, task->n);
        return;
    }
    for (int step = 0; step < product->threads; step++) {
        const struct span columns = task_columns(task, (me + step) % product->threads, product->threads);
        kernel_add_product(c + columns.first, task->n, a, product->b + task->k * columns.first, rows.count,
                           task->k, columns.count);
    }
}

static void multiply(void *state)
{
    const struct product *product = state;
#pragma omp parallel num_threads(product->threads)
    {
        const int me = omp_get_thread_num();
        multiply_rows(product, me, task_rows(&product->task, me, product->threads));
    }
}

static int run(int argc, char **argv)
{
    struct product product = {.threads = app_workers()};
    struct task *task = &product.task;
    int status = task_start(argc, argv, NULL, task);
    if (status != APP_RUN)
        return status;
    product.a = task_allocate(task->m, task->k);
    product.b = task_allocate(task->k, task->n);
    product.c = task_allocate(task->m, task->n);
    if (product.a == NULL || product.b == NULL || product.c == NULL) {
        status = app_fail("not enough memory for the matrices");
    } else {
        fill(&product);
        status = task_run(task, multiply, &product, (struct span){0, task->m}, product.c);
    }
    free(product.a);
    free(product.b);
    free(product.c);
    return status;
}

int main(int argc, char **argv)
{
    omp_set_dynamic(0); /* every thread's part must have its thread */
    return run(argc, argv);
}
