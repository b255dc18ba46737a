/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix product by Cannon's algorithm on any number of PEs: blocks lie in the symmetric heap, and a PE
 * that needs one reads it there, or fetches it while it multiplies the one before. See README.md.
 */
#include "app.h"
#include "blas.h"
#include "matrix.h"
#include "task.h"

#include <stdlib.h>
#include <string.h>

enum reading {
    READ_AUTO, /* in place where the owner's memory can be read, fetched elsewhere */
    READ_FETCH
};

/* A or B: my blocks of it, and where those of others land. All symmetric. */
struct operand {
    double *blocks;
    long block; /* elements from one block to the next */
    double *landing[2];
};

struct product {
    struct task task;
    bool in_place;
    struct operand a, b;
    double *c; /* private */
};

/* What one step multiplies. */
struct pair {
    const double *a, *b;
    long k;
};

static bool operand_create(struct operand *operand, int blocks, long block, const char *what)
{
    double *memory = app_allocate((size_t)(blocks + 2), (size_t)block * sizeof *memory, what);
    *operand = (struct operand){memory, block, {memory + blocks * block, memory + (blocks + 1) * block}};
    return memory != NULL;
}

static double *block_of(const struct operand *operand, int place)
{
    return operand->blocks + place * operand->block;
}

static void fill(struct product *product)
{
    const struct grid *grid = &product->task.grid;
    struct span rows = grid_rows(grid, product->task.row),
                columns = grid_columns(grid, product->task.column);
    for (int panel = 0; panel < grid->panels; panel++) {
        struct span inner = grid_panel(grid, panel);
        if (panel % grid->columns == product->task.column)
            matrix_fill(block_of(&product->a, grid_place_of_a(grid, panel)), MATRIX_A, rows, inner);
        if (panel % grid->rows == product->task.row)
            matrix_fill(block_of(&product->b, grid_place_of_b(grid, panel)), MATRIX_B, inner, columns);
    }
}

/* Collective. 0, or 1 on all PEs with the reason printed. */
static int product_create(struct product *product)
{
    const struct grid *grid = &product->task.grid;
    if (!operand_create(&product->a, grid_blocks_of_a(grid), grid_block_of_a(grid),
                        "blocks of the first matrix") ||
        !operand_create(&product->b, grid_blocks_of_b(grid), grid_block_of_b(grid),
                        "blocks of the second matrix"))
        return 1;
    long elements =
        grid_rows(grid, product->task.row).count * grid_columns(grid, product->task.column).count;
    product->c = malloc((size_t)(elements + 1) * sizeof *product->c);
    if (app_agree(product->c == NULL) != 0)
        return app_fail("not enough memory for a block of the product");
    fill(product);
    shmem_barrier_all();
    return 0;
}

static void product_destroy(struct product *product)
{
    free(product->c);
    if (product->b.blocks != NULL)
        shmem_free(product->b.blocks);
    if (product->a.blocks != NULL)
        shmem_free(product->a.blocks);
}

/* A block of some PE, which may be read once shmem_quiet() has returned. */
static const double *fetch(const struct product *product, const struct operand *operand, int owner,
                           int place, long count, int step)
{
    const double *source = block_of(operand, place);
    if (owner == shmem_my_pe())
        return source;
    const double *there = product->in_place ? shmem_ptr(source, owner) : NULL;
    if (there != NULL)
        return there;
    double *landing = operand->landing[step % 2];
    shmem_double_get_nbi(landing, source, (size_t)count, owner);
    return landing;
}

static struct pair fetch_pair(const struct product *product, int step)
{
    const struct grid *grid = &product->task.grid;
    const int panel = grid_panel_of_step(grid, product->task.row, product->task.column, step);
    const long m = grid_rows(grid, product->task.row).count,
               n = grid_columns(grid, product->task.column).count;
    const long k = grid_panel(grid, panel).count;
    return (struct pair){.a = fetch(product, &product->a, grid_owner_of_a(grid, product->task.row, panel),
                                    grid_place_of_a(grid, panel), m * k, step),
                         .b =
                             fetch(product, &product->b, grid_owner_of_b(grid, product->task.column, panel),
                                   grid_place_of_b(grid, panel), k * n, step),
                         .k = k};
}

/* While a step's blocks are multiplied those of the next one travel. */
static void multiply(void *state)
{
    struct product *product = state;
    const struct grid *grid = &product->task.grid;
    const long m = grid_rows(grid, product->task.row).count,
               n = grid_columns(grid, product->task.column).count;
    struct pair next = fetch_pair(product, 0);
    memset(product->c, 0, (size_t)(m * n) * sizeof *product->c);
    for (int step = 0; step < grid->panels; step++) {
        struct pair now = next;
        shmem_quiet();
        if (step + 1 < grid->panels)
            next = fetch_pair(product, step + 1);
        blas_add_product(product->c, now.a, now.b, m, now.k, n, 0, n);
    }
}

/* The same number of local products of the same shapes, of the PE's own blocks: what is left when
 * communication costs nothing. */
static void multiply_own(void *state)
{
    struct product *product = state;
    const struct grid *grid = &product->task.grid;
    const long m = grid_rows(grid, product->task.row).count,
               n = grid_columns(grid, product->task.column).count;
    memset(product->c, 0, (size_t)(m * n) * sizeof *product->c);
    for (int step = 0; step < grid->panels; step++) {
        long k =
            grid_panel(grid, grid_panel_of_step(grid, product->task.row, product->task.column, step)).count;
        blas_add_product(product->c, product->a.blocks, product->b.blocks, m, k, n, 0, n);
    }
}

static int multiply_and_report(struct product *product, bool limit)
{
    if (limit)
        app_say("local products alone: %.6f s", app_timed(multiply_own, product, product->task.rounds));
    task_report(&product->task, app_timed(multiply, product, product->task.rounds));
    return task_verify(&product->task, product->c);
}

static int run(int argc, char **argv)
{
    int reading = READ_AUTO;
    bool limit = false;
    const struct app_option options[] = {
        {"--limit", APP_FLAG, &limit, "time the local products without communication, too", 0, 0, NULL},
        {"--read", APP_CHOICE, &reading, "blocks of PEs on this host in place, or fetched like others", 0,
         0, "auto|fetch"},
        {.kind = APP_END}};
    struct product product = {0};
    int status = task_start(argc, argv, options, &product.task);
    if (status != APP_RUN)
        return status;
    product.in_place = reading == READ_AUTO;
    blas_take_one_core();
    status = product_create(&product);
    if (status == 0)
        status = multiply_and_report(&product, limit);
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
