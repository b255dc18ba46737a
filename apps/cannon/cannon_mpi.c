/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same product by the same steps with MPI, to compare with: the owner of a block sends it to the
 * process that needs it in the next step, while both multiply.
 */
#include "blas.h"
#include "matrix.h"
#include "task.h"

#include <mpi.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A local product is done in so many pieces while messages are under way: between them MPI gets its turn to
 * move these. Order 512 on two processes: 1, 2 and 4 pieces differ by less than rounds do, 8 take 5 to 15 %
 * more. */
#define PIECES 2

enum tag { TAG_A, TAG_B };

struct operand {
    double *blocks;
    long block;
    double *landing[2];
};

struct product {
    struct task task;
    struct operand a, b;
    double *c;
    MPI_Request requests[4]; /* of the next step's blocks */
    MPI_Status statuses[4];
    int under_way;
};

struct pair {
    const double *a, *b;
    long k;
};

/* Whether there is memory. */
static bool operand_create(struct operand *operand, int blocks, long block)
{
    double *memory = malloc((size_t)((blocks + 2) * block + 1) * sizeof *memory);
    *operand = (struct operand){memory, block, {memory + blocks * block, memory + (blocks + 1) * block}};
    return memory != NULL;
}

static double *block_of(const struct operand *operand, int place)
{
    return operand->blocks + place * operand->block;
}

/* Collective. 0, or 1 on all ranks with the reason printed. */
static int product_create(struct product *product)
{
    const struct grid *grid = &product->task.grid;
    struct span rows = grid_rows(grid, product->task.row),
                columns = grid_columns(grid, product->task.column);
    if (grid_block_of_a(grid) > INT_MAX || grid_block_of_b(grid) > INT_MAX)
        return app_fail("a block has more elements than a message of MPI, %d: use more ranks", INT_MAX);
    bool there = operand_create(&product->a, grid_blocks_of_a(grid), grid_block_of_a(grid));
    there &= operand_create(&product->b, grid_blocks_of_b(grid), grid_block_of_b(grid));
    product->c = malloc((size_t)(rows.count * columns.count + 1) * sizeof *product->c);
    if (app_agree(!there || product->c == NULL) != 0)
        return app_fail("not enough memory for the matrices' blocks");
    for (int panel = 0; panel < grid->panels; panel++) {
        struct span inner = grid_panel(grid, panel);
        if (panel % grid->columns == product->task.column)
            matrix_fill(block_of(&product->a, grid_place_of_a(grid, panel)), MATRIX_A, rows, inner);
        if (panel % grid->rows == product->task.row)
            matrix_fill(block_of(&product->b, grid_place_of_b(grid, panel)), MATRIX_B, inner, columns);
    }
    return 0;
}

/* The block to be read once its messages are complete: my own, or where it lands. */
static const double *receive(struct product *product, const struct operand *operand, int owner, int place,
                             long count, enum tag tag, int step)
{
    if (owner == app_rank())
        return block_of(operand, place);
    double *landing = operand->landing[step % 2];
    MPI_Irecv(landing, (int)count, MPI_DOUBLE, owner, tag, MPI_COMM_WORLD,
              &product->requests[product->under_way++]);
    return landing;
}

static void send(struct product *product, const struct operand *operand, int reader, int place, long count,
                 enum tag tag)
{
    if (reader != app_rank())
        MPI_Isend(block_of(operand, place), (int)count, MPI_DOUBLE, reader, tag, MPI_COMM_WORLD,
                  &product->requests[product->under_way++]);
}

static void send_pair(struct product *product, int step, long m, long n)
{
    const struct grid *grid = &product->task.grid;
    int column = grid_reader_of_a(grid, product->task.row, product->task.column, step);
    int panel = grid_panel_of_step(grid, product->task.row, column, step);
    send(product, &product->a, product->task.row * grid->columns + column, grid_place_of_a(grid, panel),
         m * grid_panel(grid, panel).count, TAG_A);
    int row = grid_reader_of_b(grid, product->task.row, product->task.column, step);
    panel = grid_panel_of_step(grid, row, product->task.column, step);
    send(product, &product->b, row * grid->columns + product->task.column, grid_place_of_b(grid, panel),
         grid_panel(grid, panel).count * n, TAG_B);
}

/* Receives are posted before anything is sent. */
static struct pair exchange(struct product *product, int step)
{
    const struct grid *grid = &product->task.grid;
    const int panel = grid_panel_of_step(grid, product->task.row, product->task.column, step);
    const long m = grid_rows(grid, product->task.row).count,
               n = grid_columns(grid, product->task.column).count;
    const long k = grid_panel(grid, panel).count;
    struct pair pair = {.k = k};
    product->under_way = 0;
    pair.a = receive(product, &product->a, grid_owner_of_a(grid, product->task.row, panel),
                     grid_place_of_a(grid, panel), m * k, TAG_A, step);
    pair.b = receive(product, &product->b, grid_owner_of_b(grid, product->task.column, panel),
                     grid_place_of_b(grid, panel), k * n, TAG_B, step);
    send_pair(product, step, m, n);
    return pair;
}

static void add_product(struct product *product, struct pair pair, long m, long n)
{
    const int pieces = product->under_way > 0 ? PIECES : 1;
    for (int piece = 0; piece < pieces; piece++) {
        long first = n * piece / pieces, end = n * (piece + 1) / pieces;
        blas_add_product(product->c, pair.a, pair.b, m, pair.k, n, first, end - first);
        int done;
        if (piece + 1 < pieces)
            MPI_Testall(product->under_way, product->requests, &done, product->statuses);
    }
}

static void multiply(void *state)
{
    struct product *product = state;
    const struct grid *grid = &product->task.grid;
    const long m = grid_rows(grid, product->task.row).count,
               n = grid_columns(grid, product->task.column).count;
    struct pair next = exchange(product, 0);
    memset(product->c, 0, (size_t)(m * n) * sizeof *product->c);
    for (int step = 0; step < grid->panels; step++) {
        struct pair now = next;
        MPI_Waitall(product->under_way, product->requests, product->statuses);
        product->under_way = 0;
        if (step + 1 < grid->panels)
            next = exchange(product, step + 1);
        add_product(product, now, m, n);
    }
}

static int run(int argc, char **argv)
{
    struct product product = {0};
    int status = task_start(argc, argv, NULL, &product.task);
    if (status != APP_RUN)
        return status;
    blas_take_one_core();
    status = product_create(&product);
    if (status == 0) {
        task_report(&product.task, app_timed(multiply, &product, product.task.rounds));
        status = task_verify(&product.task, product.c);
    }
    free(product.a.blocks);
    free(product.b.blocks);
    free(product.c);
    return status;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int status = run(argc, argv);
    MPI_Finalize();
    return status;
}
