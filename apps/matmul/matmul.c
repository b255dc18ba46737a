/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix product whose first matrix lies in rows and whose second is read where it is, or copied. See
 * README.md.
 */
#include "app.h"
#include "kernel.h"
#include "task.h"

#include <stdlib.h>
#include <string.h>

enum reading {
    READ_AUTO, /* in place where the owner's memory can be read, copied elsewhere */
    READ_COPY
};

struct product {
    struct task task;
    bool in_place;
    struct span rows; /* mine */
    double *a, *c;    /* private: my rows */
    double *b;        /* symmetric. By rows: all of it, on PE 0; by columns: my block */
    double *copy[2];  /* symmetric: where what is not read in place lands */
};

/* Whether every PE can read B on PE 0: a broadcast takes all of them. */
static bool all_can_read(const double *b)
{
    return app_agree(shmem_ptr(b, 0) == NULL) == 0;
}

/* Collective. 0, or 1 on all PEs with the reason printed. */
static int product_create(struct product *product)
{
    const struct task *task = &product->task;
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const bool by_rows = task->method == METHOD_ROWS;
    const struct span columns = by_rows ? (struct span){0, task->n} : task_columns(task, me, npes);
    const long most = task->k * (by_rows ? task->n : task_columns(task, 0, npes).count);
    product->rows = task_rows(task, me, npes);
    product->b = app_allocate_pages((size_t)most, sizeof *product->b, "the second matrix");
    if (product->b == NULL)
        return 1;
    product->in_place = product->in_place && (!by_rows || all_can_read(product->b));
    const long copies = by_rows ? !product->in_place : 2;
    product->copy[0] =
        app_allocate_pages((size_t)(copies * most), sizeof *product->b, "copies of the second matrix");
    if (product->copy[0] == NULL)
        return 1;
    product->copy[1] = product->copy[0] + (copies == 2 ? most : 0);
    product->a = task_allocate(product->rows.count, task->k);
    product->c = task_allocate(product->rows.count, task->n);
    if (app_agree(product->a == NULL || product->c == NULL) != 0)
        return app_fail("not enough memory for rows of the matrices");
    matrix_fill(product->a, MATRIX_A, product->rows, task_inner(task));
    if (!by_rows || me == 0)
        matrix_fill(product->b, MATRIX_B, task_inner(task), columns);
    shmem_barrier_all();
    return 0;
}

static void product_destroy(struct product *product)
{
    if (product->copy[0] != NULL)
        shmem_free(product->copy[0]);
    if (product->b != NULL)
        shmem_free(product->b);
    free(product->a);
    free(product->c);
}

static void multiply_by_rows(struct product *product)
{
    const struct task *task = &product->task;
    const double *b = product->copy[0];
    if (product->in_place)
        b = shmem_ptr(product->b, 0);
    else
        shmem_double_broadcast(SHMEM_TEAM_WORLD, product->copy[0], product->b, (size_t)(task->k * task->n),
                               0);
    kernel_add_product(product->c, task->n, product->a, b, product->rows.count, task->k, task->n);
}

/* A block of B, which may be read once shmem_quiet() has returned. */
static const double *fetch(const struct product *product, int owner, int step)
{
    const double *there = product->in_place ? shmem_ptr(product->b, owner) : NULL;
    if (owner == shmem_my_pe())
        return product->b;
    if (there != NULL)
        return there;
    const long columns = task_columns(&product->task, owner, shmem_n_pes()).count;
    double *copy = product->copy[step % 2];
    shmem_double_get_nbi(copy, product->b, (size_t)(product->task.k * columns), owner);
    return copy;
}

/* Everybody begins with the own block, so that each is read by one other PE at a time. While one is
 * multiplied the next travels. */
static void multiply_by_columns(struct product *product)
{
    const struct task *task = &product->task;
    const int me = shmem_my_pe(), npes = shmem_n_pes();
    const double *next = fetch(product, me, 0);
    for (int step = 0; step < npes; step++) {
        const double *now = next;
        const struct span columns = task_columns(task, (me + step) % npes, npes);
        shmem_quiet();
        if (step + 1 < npes)
            next = fetch(product, (me + step + 1) % npes, step + 1);
        kernel_add_product(product->c + columns.first, task->n, product->a, now, product->rows.count,
                           task->k, columns.count);
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
    int reading = READ_AUTO;
    const struct app_option options[] = {{"--read", APP_CHOICE, &reading,
                                          "B on this host in place, or copied as from others", 0, 0,
                                          "auto|copy"},
                                         {.kind = APP_END}};
    struct product product = {0};
    int status = task_start(argc, argv, options, &product.task);
    if (status != APP_RUN)
        return status;
    product.in_place = reading == READ_AUTO;
    status = product_create(&product);
    if (status == 0)
        status = task_run(&product.task, multiply, &product, product.rows, product.c);
    product_destroy(&product);
    return status;
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
