/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The grid: arithmetic with indices alone.
 */
#include "grid.h"

/* The sizes of parts differ by at most one. */
static struct span part(long count, int index, int parts)
{
    long share = count / parts, extra = count % parts;
    return (struct span){index * share + (index < extra ? index : extra), share + (index < extra)};
}

static int common_multiple(int a, int b)
{
    int x = a, y = b;
    while (y != 0) {
        int rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* Elements that all processes together fetch from others, over k. */
static double moved(int rows, int columns, long m, long n)
{
    return (double)m * (columns - 1) + (double)n * (rows - 1);
}

struct grid grid_of(int processes, long m, long k, long n)
{
    int best = 1;
    for (int rows = 2; rows <= processes; rows++)
        if (processes % rows == 0 &&
            moved(rows, processes / rows, m, n) < moved(best, processes / best, m, n))
            best = rows;
    return (struct grid){m, k, n, best, processes / best, common_multiple(best, processes / best)};
}

struct span grid_rows(const struct grid *grid, int row)
{
    return part(grid->m, row, grid->rows);
}

struct span grid_columns(const struct grid *grid, int column)
{
    return part(grid->n, column, grid->columns);
}

struct span grid_panel(const struct grid *grid, int panel)
{
    return part(grid->k, panel, grid->panels);
}

int grid_panel_of_step(const struct grid *grid, int row, int column, int step)
{
    return (row + column + step) % grid->panels;
}

/* The remainder that is not negative. */
static int modulo(int value, int by)
{
    return (value % by + by) % by;
}

int grid_reader_of_a(const struct grid *grid, int row, int column, int step)
{
    return modulo(column - row - step, grid->columns);
}

int grid_reader_of_b(const struct grid *grid, int row, int column, int step)
{
    return modulo(row - column - step, grid->rows);
}

int grid_owner_of_a(const struct grid *grid, int row, int panel)
{
    return row * grid->columns + panel % grid->columns;
}

int grid_owner_of_b(const struct grid *grid, int column, int panel)
{
    return panel % grid->rows * grid->columns + column;
}

int grid_place_of_a(const struct grid *grid, int panel)
{
    return panel / grid->columns;
}

int grid_place_of_b(const struct grid *grid, int panel)
{
    return panel / grid->rows;
}

long grid_block_of_a(const struct grid *grid)
{
    return grid_rows(grid, 0).count * grid_panel(grid, 0).count;
}

long grid_block_of_b(const struct grid *grid)
{
    return grid_panel(grid, 0).count * grid_columns(grid, 0).count;
}

int grid_blocks_of_a(const struct grid *grid)
{
    return grid->panels / grid->columns;
}

int grid_blocks_of_b(const struct grid *grid)
{
    return grid->panels / grid->rows;
}
