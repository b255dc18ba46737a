/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A matrix product by Cannon's algorithm on any number of PEs: blocks lie in the symmetric heap, and a PE that
 * needs one reads it there, or fetches it while it multiplies the one before. See README.md.
 */
#include "app.h"
#include "blas.h"
#include "grid.h"
#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS 1000
#define MOST_BY_BLAS ((double)(1L << 30)) /* m k n up to which the check multiplies all over again */

enum reading {
    READ_AUTO, /* in place where the owner's memory can be read, fetched elsewhere */
    READ_FETCH
};

struct settings {
    long size, m, k, n; /* m, k, n: 0 for size */
    long rounds;
    bool limit;
    int reading;
};

/* A or B: my blocks of it, and where those of others land. All symmetric. */
struct operand {
    double *blocks;
    long block; /* elements from one block to the next */
    double *landing[2];
};

struct product {
    struct grid grid;
    int row, column; /* mine */
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
    const struct grid *grid = &product->grid;
    struct span rows = grid_rows(grid, product->row), columns = grid_columns(grid, product->column);
    for (int panel = 0; panel < grid->panels; panel++) {
        struct span inner = grid_panel(grid, panel);
        if (panel % grid->columns == product->column)
            matrix_fill(block_of(&product->a, grid_place_of_a(grid, panel)), MATRIX_A, rows, inner);
        if (panel % grid->rows == product->row)
            matrix_fill(block_of(&product->b, grid_place_of_b(grid, panel)), MATRIX_B, inner, columns);
    }
}

/* Collective. 0, or 1 on all PEs with the reason printed. */
static int product_create(struct product *product)
{
    const struct grid *grid = &product->grid;
    if (!operand_create(&product->a, grid_blocks_of_a(grid), grid_block_of_a(grid),
                        "blocks of the first matrix") ||
        !operand_create(&product->b, grid_blocks_of_b(grid), grid_block_of_b(grid),
                        "blocks of the second matrix"))
        return 1;
    long elements = grid_rows(grid, product->row).count * grid_columns(grid, product->column).count;
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
    const struct grid *grid = &product->grid;
    const int panel = grid_panel_of_step(grid, product->row, product->column, step);
    const long m = grid_rows(grid, product->row).count, n = grid_columns(grid, product->column).count;
    const long k = grid_panel(grid, panel).count;
    return (struct pair){
        .a = fetch(product, &product->a, grid_owner_of_a(grid, product->row, panel),
                   grid_place_of_a(grid, panel), m * k, step),
        .b = fetch(product, &product->b, grid_owner_of_b(grid, product->column, panel),
                   grid_place_of_b(grid, panel), k * n, step),
        .k = k};
}

/* While a step's blocks are multiplied those of the next one travel. */
static void multiply(struct product *product)
{
    const struct grid *grid = &product->grid;
    const long m = grid_rows(grid, product->row).count, n = grid_columns(grid, product->column).count;
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

/* The same number of local products of the same shapes, of the PE's own blocks: what is left when communication
 * costs nothing. */
static void multiply_own(struct product *product)
{
    const struct grid *grid = &product->grid;
    const long m = grid_rows(grid, product->row).count, n = grid_columns(grid, product->column).count;
    memset(product->c, 0, (size_t)(m * n) * sizeof *product->c);
    for (int step = 0; step < grid->panels; step++) {
        long k = grid_panel(grid, grid_panel_of_step(grid, product->row, product->column, step)).count;
        blas_add_product(product->c, product->a.blocks, product->b.blocks, m, k, n, 0, n);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Collective. The median of the rounds; a round takes as long as its slowest PE. */
static double timed(struct product *product, void (*work)(struct product *), long rounds)
{
    static double seconds[MOST_ROUNDS];
    for (long round = 0; round < rounds; round++) {
        shmem_barrier_all();
        double begin = app_seconds();
        work(product);
        seconds[round] = app_max_double(app_seconds() - begin);
    }
    qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
    return seconds[rounds / 2];
}

/* Collective. 0, or 1 and the reason printed. */
static int verify(const struct product *product)
{
    const struct grid *grid = &product->grid;
    long rows = matrix_wrong_rows(grid, product->row, product->column, product->c), elements = 0;
    bool small = (double)grid->m * (double)grid->k * (double)grid->n <= MOST_BY_BLAS;
    if (small)
        elements = matrix_wrong_elements(grid, product->row, product->column, product->c);
    if (app_agree(rows < 0 || elements < 0) != 0)
        return app_fail("not enough memory to check the product");
    rows = app_sum_long(rows);
    elements = app_sum_long(elements);
    if (rows > 0 || elements > 0)
        return app_fail("the product is wrong: %ld parts of rows (Freivalds), %ld elements (BLAS)", rows,
                        elements);
    if (shmem_my_pe() == 0)
        printf("cannon: verified: every row by random vectors%s\n",
               small ? ", every element by the BLAS for all of it at once" : "");
    return 0;
}

static void report(const struct grid *grid, double seconds)
{
    double operations = 2.0 * (double)grid->m * (double)grid->k * (double)grid->n;
    if (shmem_my_pe() == 0)
        printf("cannon: %ld x %ld times %ld x %ld on %d x %d PEs in %d steps: %.6f s, %.2f Gflop/s\n",
               grid->m, grid->k, grid->k, grid->n, grid->rows, grid->columns, grid->panels, seconds,
               operations / seconds * 1e-9);
}

static int multiply_and_report(struct product *product, const struct settings *settings)
{
    if (settings->limit) {
        double seconds = timed(product, multiply_own, settings->rounds);
        if (shmem_my_pe() == 0)
            printf("cannon: local products alone: %.6f s\n", seconds);
    }
    report(&product->grid, timed(product, multiply, settings->rounds));
    return verify(product);
}

static int run(int argc, char **argv)
{
    struct settings settings = {.size = 1000, .rounds = 1};
    const double most = 100000;
    const struct app_option options[] = {
        {"--size", APP_COUNT, &settings.size, "rows and columns of both matrices", 1, most, NULL},
        {"--rows", APP_COUNT, &settings.m, "rows of the first; 0: --size", 0, most, NULL},
        {"--inner", APP_COUNT, &settings.k, "columns of the first, rows of the second; 0: --size", 0, most,
         NULL},
        {"--columns", APP_COUNT, &settings.n, "columns of the second; 0: --size", 0, most, NULL},
        {"--rounds", APP_COUNT, &settings.rounds, "so many times; the median is told", 1, MOST_ROUNDS,
         NULL},
        {"--limit", APP_FLAG, &settings.limit, "time the local products without communication, too", 0, 0,
         NULL},
        {"--read", APP_CHOICE, &settings.reading, "blocks of PEs on this host in place, or fetched like others",
         0, 0, "auto|fetch"},
        {.kind = APP_END}};
    int status =
        app_start(argc, argv, "Multiplies two matrices by Cannon's algorithm, with a BLAS.", options);
    if (status != APP_RUN)
        return status;
    struct product product = {.grid = grid_of(shmem_n_pes(), settings.m ? settings.m : settings.size,
                                              settings.k ? settings.k : settings.size,
                                              settings.n ? settings.n : settings.size),
                              .in_place = settings.reading == READ_AUTO};
    product.row = shmem_my_pe() / product.grid.columns;
    product.column = shmem_my_pe() % product.grid.columns;
    blas_take_one_core();
    status = product_create(&product);
    if (status == 0)
        status = multiply_and_report(&product, &settings);
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
