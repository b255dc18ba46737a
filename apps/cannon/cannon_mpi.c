/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The same product by the same steps with MPI, to compare with: the owner of a block sends it to the process that
 * needs it in the next step, while both multiply. Arguments: ROWS INNER COLUMNS ROUNDS.
 */
#include "blas.h"
#include "grid.h"
#include "matrix.h"

#include <mpi.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS 1000

/* A local product is done in so many pieces while messages are under way: between them MPI gets its turn to
 * move these. Order 512 on two processes: 1, 2 and 4 pieces differ by less than rounds do, 8 take 5 to 15 %
 * more. */
#define PIECES 2

enum tag {
    TAG_A,
    TAG_B
};

struct operand {
    double *blocks;
    long block;
    double *landing[2];
};

struct product {
    struct grid grid;
    int rank, row, column;
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

static void *allocate(long count)
{
    void *memory = calloc((size_t)count + 1, sizeof(double));
    if (memory == NULL) {
        fprintf(stderr, "cannon-mpi: not enough memory for %ld elements\n", count);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

static void operand_create(struct operand *operand, int blocks, long block)
{
    double *memory = allocate((blocks + 2) * block);
    *operand = (struct operand){memory, block, {memory + blocks * block, memory + (blocks + 1) * block}};
}

static double *block_of(const struct operand *operand, int place)
{
    return operand->blocks + place * operand->block;
}

static void product_create(struct product *product)
{
    const struct grid *grid = &product->grid;
    struct span rows = grid_rows(grid, product->row), columns = grid_columns(grid, product->column);
    if (grid_block_of_a(grid) > INT_MAX || grid_block_of_b(grid) > INT_MAX) {
        fprintf(stderr, "cannon-mpi: a block has more elements than a message of MPI, %d: use more processes\n",
                INT_MAX);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    operand_create(&product->a, grid_blocks_of_a(grid), grid_block_of_a(grid));
    operand_create(&product->b, grid_blocks_of_b(grid), grid_block_of_b(grid));
    product->c = allocate(rows.count * columns.count);
    for (int panel = 0; panel < grid->panels; panel++) {
        struct span inner = grid_panel(grid, panel);
        if (panel % grid->columns == product->column)
            matrix_fill(block_of(&product->a, grid_place_of_a(grid, panel)), MATRIX_A, rows, inner);
        if (panel % grid->rows == product->row)
            matrix_fill(block_of(&product->b, grid_place_of_b(grid, panel)), MATRIX_B, inner, columns);
    }
}

/* The block to be read once its messages are complete: my own, or where it lands. */
static const double *receive(struct product *product, const struct operand *operand, int owner, int place,
                             long count, enum tag tag, int step)
{
    if (owner == product->rank)
        return block_of(operand, place);
    double *landing = operand->landing[step % 2];
    MPI_Irecv(landing, (int)count, MPI_DOUBLE, owner, tag, MPI_COMM_WORLD,
              &product->requests[product->under_way++]);
    return landing;
}

static void send(struct product *product, const struct operand *operand, int reader, int place, long count,
                 enum tag tag)
{
    if (reader != product->rank)
        MPI_Isend(block_of(operand, place), (int)count, MPI_DOUBLE, reader, tag, MPI_COMM_WORLD,
                  &product->requests[product->under_way++]);
}

static void send_pair(struct product *product, int step, long m, long n)
{
    const struct grid *grid = &product->grid;
    int column = grid_reader_of_a(grid, product->row, product->column, step);
    int panel = grid_panel_of_step(grid, product->row, column, step);
    send(product, &product->a, product->row * grid->columns + column, grid_place_of_a(grid, panel),
         m * grid_panel(grid, panel).count, TAG_A);
    int row = grid_reader_of_b(grid, product->row, product->column, step);
    panel = grid_panel_of_step(grid, row, product->column, step);
    send(product, &product->b, row * grid->columns + product->column, grid_place_of_b(grid, panel),
         grid_panel(grid, panel).count * n, TAG_B);
}

/* Receives are posted before anything is sent. */
static struct pair exchange(struct product *product, int step)
{
    const struct grid *grid = &product->grid;
    const int panel = grid_panel_of_step(grid, product->row, product->column, step);
    const long m = grid_rows(grid, product->row).count, n = grid_columns(grid, product->column).count;
    const long k = grid_panel(grid, panel).count;
    struct pair pair = {.k = k};
    product->under_way = 0;
    pair.a = receive(product, &product->a, grid_owner_of_a(grid, product->row, panel),
                     grid_place_of_a(grid, panel), m * k, TAG_A, step);
    pair.b = receive(product, &product->b, grid_owner_of_b(grid, product->column, panel),
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

static void multiply(struct product *product)
{
    const struct grid *grid = &product->grid;
    const long m = grid_rows(grid, product->row).count, n = grid_columns(grid, product->column).count;
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

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the rounds; a round takes as long as its slowest process. */
static double timed(struct product *product, int rounds)
{
    static double seconds[MOST_ROUNDS];
    for (int round = 0; round < rounds; round++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        multiply(product);
        double mine = MPI_Wtime() - begin;
        MPI_Allreduce(&mine, &seconds[round], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    qsort(seconds, (size_t)rounds, sizeof *seconds, compare);
    return seconds[rounds / 2];
}

static int report(const struct product *product, double seconds)
{
    const struct grid *grid = &product->grid;
    long mine = matrix_wrong_rows(grid, product->row, product->column, product->c), wrong;
    mine = labs(mine);
    MPI_Allreduce(&mine, &wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (product->rank != 0)
        return wrong != 0;
    printf("cannon-mpi: %ld x %ld times %ld x %ld on %d x %d processes in %d steps: %.6f s, %.2f Gflop/s\n",
           grid->m, grid->k, grid->k, grid->n, grid->rows, grid->columns, grid->panels, seconds,
           2.0 * (double)grid->m * (double)grid->k * (double)grid->n / seconds * 1e-9);
    if (wrong != 0)
        fprintf(stderr, "cannon-mpi: the product is wrong: %ld parts of rows\n", wrong);
    else
        printf("cannon-mpi: verified: every row by random vectors\n");
    return wrong != 0;
}

static int run(int rank, int processes, const long *numbers)
{
    struct product product = {.grid = grid_of(processes, numbers[0], numbers[1], numbers[2]), .rank = rank};
    product.row = rank / product.grid.columns;
    product.column = rank % product.grid.columns;
    blas_take_one_core();
    product_create(&product);
    double seconds = timed(&product, (int)numbers[3]);
    int status = report(&product, seconds);
    free(product.a.blocks);
    free(product.b.blocks);
    free(product.c);
    return status;
}

/* Whether there are four numbers, each within bounds. */
static int parse(int argc, char **argv, long *numbers)
{
    static const long most[] = {100000, 100000, 100000, MOST_ROUNDS};
    for (int i = 0; i < 4; i++) {
        char *end = NULL;
        numbers[i] = i + 1 < argc ? strtol(argv[i + 1], &end, 10) : 0;
        if (end == NULL || *end != '\0' || numbers[i] < 1 || numbers[i] > most[i])
            return 0;
    }
    return argc == 5;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, processes, status = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    long numbers[4];
    if (parse(argc, argv, numbers))
        status = run(rank, processes, numbers);
    else if (rank == 0)
        fprintf(stderr,
                "usage: cannon-mpi ROWS INNER COLUMNS ROUNDS, of 1 to 100000 each, at most %d rounds\n",
                MOST_ROUNDS);
    MPI_Finalize();
    return status;
}
