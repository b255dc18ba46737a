/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same product with MPI, to compare with: B is broadcast, or its blocks go round in a ring while ranks
 * multiply.
 */
#include "kernel.h"
#include "task.h"

#include <mpi.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A local product is done in so many pieces while messages are under way: between them MPI gets its turn to
 * move these. */
#define PIECES 2

struct product {
    struct task task;
    int rank, ranks;
    struct span rows; /* mine */
    double *a, *c;
    double *b;       /* by rows: all of B; by columns: my block */
    double *copy[2]; /* by columns: where blocks of others land */
};

/* Collective. 0, or 1 on all ranks with the reason printed. */
static int product_create(struct product *product)
{
    const struct task *task = &product->task;
    const bool by_rows = task->method == METHOD_ROWS;
    const struct span columns =
        by_rows ? (struct span){0, task->n} : task_columns(task, product->rank, product->ranks);
    const long most = by_rows ? task->n : task_columns(task, 0, product->ranks).count;
    if (task->k * most > INT_MAX)
        return app_fail("a message has more elements than MPI takes, %d: use smaller matrices", INT_MAX);
    product->rows = task_rows(task, product->rank, product->ranks);
    product->a = task_allocate(product->rows.count, task->k);
    product->b = task_allocate(task->k, most);
    product->c = task_allocate(product->rows.count, task->n);
    for (int i = 0; i < 2; i++)
        product->copy[i] = task_allocate(by_rows ? 0 : task->k, most);
    if (app_agree(!product->a || !product->b || !product->c || !product->copy[0] || !product->copy[1]) != 0)
        return app_fail("not enough memory for the matrices");
    matrix_fill(product->a, MATRIX_A, product->rows, task_inner(task));
    if (!by_rows || product->rank == 0)
        matrix_fill(product->b, MATRIX_B, task_inner(task), columns);
    return 0;
}

static void product_destroy(struct product *product)
{
    free(product->a);
    free(product->b);
    free(product->c);
    free(product->copy[0]);
    free(product->copy[1]);
}

static void multiply_by_rows(struct product *product)
{
    const struct task *task = &product->task;
    MPI_Bcast(product->b, (int)(task->k * task->n), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    kernel_add_product(product->c, task->n, product->a, product->b, product->rows.count, task->k, task->n);
}

static struct span columns_of_step(const struct product *product, int step)
{
    return task_columns(&product->task, (product->rank + step) % product->ranks, product->ranks);
}

/* The block of a step goes to the rank before, that of the next comes from the rank behind. */
static void pass_on(const struct product *product, const double *now, double *next, int step,
                    MPI_Request *requests)
{
    const int before = (product->rank + product->ranks - 1) % product->ranks;
    const int behind = (product->rank + 1) % product->ranks;
    const long k = product->task.k;
    MPI_Irecv(next, (int)(k * columns_of_step(product, step + 1).count), MPI_DOUBLE, behind, 0,
              MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(now, (int)(k * columns_of_step(product, step).count), MPI_DOUBLE, before, 0, MPI_COMM_WORLD,
              &requests[1]);
}

static void add_block(struct product *product, const double *block, int step, MPI_Request *requests)
{
    const struct task *task = &product->task;
    const struct span columns = columns_of_step(product, step);
    MPI_Status statuses[2];
    for (int piece = 0, done; piece < PIECES; piece++) {
        const long first = product->rows.count * piece / PIECES,
                   end = product->rows.count * (piece + 1) / PIECES;
        kernel_add_product(product->c + first * task->n + columns.first, task->n,
                           product->a + first * task->k, block, end - first, task->k, columns.count);
        MPI_Testall(2, requests, &done, statuses);
    }
}

static void multiply_by_columns(struct product *product)
{
    const double *now = product->b;
    for (int step = 0; step < product->ranks; step++) {
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        MPI_Status statuses[2];
        double *next = product->copy[step % 2];
        if (step + 1 < product->ranks)
            pass_on(product, now, next, step, requests);
        add_block(product, now, step, requests);
        MPI_Waitall(2, requests, statuses);
        now = next;
    }
}

static void multiply(void *state)
{
    struct product *product = state;
    memset(product->c, 0, (size_t)(product->rows.count * product->task.n) * sizeof *product->c);
    if (product->task.method == METHOD_ROWS)
        multiply_by_rows(product);
    else
        multiply_by_columns(product);
}

static int run(int argc, char **argv)
{
    struct product product = {.rank = app_rank(), .ranks = app_workers()};
    int status = task_start(argc, argv, NULL, &product.task);
    if (status != APP_RUN)
        return status;
    status = product_create(&product);
    if (status == 0)
        status = task_run(&product.task, multiply, &product, product.rows, product.c);
    product_destroy(&product);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int status = run(argc, argv);
    MPI_Finalize();
    return status;
}
