/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a product C = A B is spread over a grid of processes, and which blocks each multiplies in which step.
 * Both programs of this folder take it from here. Knows neither memory nor a communication library.
 */
#ifndef GRID_H
#define GRID_H

#include "matrix.h"

/* A is m x k, B is k x n, C is m x n. The process in row r and column c of the grid has rank r * columns +
 * c. It owns block (r, c) of C, the panels l of its rows of A for which l % columns == c, and the panels l
 * of its columns of B for which l % rows == r. */
struct grid {
    long m, k, n;
    int rows, columns;
    int panels; /* parts of k: the least common multiple of rows and columns */
};

/* The grid of so many processes that moves the fewest elements. */
struct grid grid_of(int processes, long m, long k, long n);

struct span grid_rows(const struct grid *grid, int row);       /* of A and C */
struct span grid_columns(const struct grid *grid, int column); /* of B and C */
struct span grid_panel(const struct grid *grid, int panel);    /* columns of A, rows of B */

/* The panel that a process multiplies in a step, 0 .. panels - 1. Within a step no two processes of a row
 * need a block of A from the same owner, and no two of a column a block of B. */
int grid_panel_of_step(const struct grid *grid, int row, int column, int step);

/* Who needs a block of mine in a step: the column of my row of the grid, the row of my column. */
int grid_reader_of_a(const struct grid *grid, int row, int column, int step);
int grid_reader_of_b(const struct grid *grid, int row, int column, int step);

/* The rank of the owner of a block, and where among its owner's blocks that is. */
int grid_owner_of_a(const struct grid *grid, int row, int panel);
int grid_owner_of_b(const struct grid *grid, int column, int panel);
int grid_place_of_a(const struct grid *grid, int panel);
int grid_place_of_b(const struct grid *grid, int panel);

/* Elements of the largest block, and blocks per process. */
long grid_block_of_a(const struct grid *grid);
long grid_block_of_b(const struct grid *grid);
int grid_blocks_of_a(const struct grid *grid);
int grid_blocks_of_b(const struct grid *grid);

#endif
