/* SPDX-License-Identifier: BSD-3-Clause */
#include "multigrid.h"

#include "plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define X(grid, level) (&(grid)->arrays[level][MULTIGRID_X])
#define R(grid, level) (&(grid)->arrays[level][MULTIGRID_R])

int multigrid_create(struct multigrid *grid)
{
    const int whole = grid->split.whole;
    long cells = 0, first[3], count[3];
    for (int level = 1; level <= whole; level++)
        cells += 2 * box_cells((long[]){1L << level, 1L << level, 1L << level});
    split_block(&grid->split, grid->part, whole, first, count);
    grid->memory = calloc((size_t)(cells + box_cells(count)), sizeof(double));
    if (grid->memory == NULL)
        return -1;
    double *next = grid->memory;
    for (int level = 1; level <= whole; level++)
        for (int array = 0; array < 2; array++) {
            const long all[3] = {1L << level, 1L << level, 1L << level};
            grid->arrays[level][array] = box_of(all, all, next);
            next += box_cells(all);
        }
    grid->share = box_of(count, count, next);
    return 0;
}

void multigrid_destroy(struct multigrid *grid)
{
    free(grid->memory);
    grid->memory = NULL;
}

/* What writes planes first .. end - 1 of an array of a level. */
typedef void operation(struct multigrid *grid, int level, long first, long end);

/* On the highest level the residual is computed afresh from v, which is the same but for rounding. */
static void residual(struct multigrid *grid, int level, long first, long end)
{
    const bool is_top = level == grid->problem->levels;
    box_residual(R(grid, level), is_top ? &grid->v : R(grid, level), X(grid, level), first, end);
}

static void smooth(struct multigrid *grid, int level, long first, long end)
{
    box_smooth(X(grid, level), R(grid, level), &grid->problem->smoother, first, end);
}

/* Of the residual one level up. */
static void coarsen(struct multigrid *grid, int level, long first, long end)
{
    box_restrict(R(grid, level), R(grid, level + 1), first, end);
}

static void wrap(struct box *box, bool upper)
{
    for (int axis = 2; axis >= 0; axis--)
        box_wrap(box, axis, upper);
}

/* The cycle on levels that this part holds whole. */
static void cycle_whole(struct multigrid *grid)
{
    for (int level = grid->split.whole; level > 1; level--) {
        wrap(R(grid, level), true);
        box_restrict(R(grid, level - 1), R(grid, level), 1, R(grid, level - 1)->count[0] + 1);
    }
    wrap(R(grid, 1), false);
    memset(X(grid, 1)->cells, 0, (size_t)box_cells(X(grid, 1)->count) * sizeof(double));
    smooth(grid, 1, 1, 3);
    wrap(X(grid, 1), false);
    for (int level = 2; level <= grid->split.whole; level++) {
        const long end = X(grid, level)->count[0] + 1;
        box_prolong(X(grid, level), X(grid, level - 1), 0, end + 1, false);
        residual(grid, level, 1, end);
        wrap(R(grid, level), false);
        smooth(grid, level, 1, end);
        wrap(X(grid, level), false);
    }
}

static void spread(struct multigrid *grid, int level, const struct box *coarse)
{
    struct box *x = X(grid, level);
    box_prolong(x, coarse, grid->lower_halo ? 0 : 1, x->count[0] + (grid->upper_halo ? 2 : 1),
                level == grid->problem->levels);
    if (grid->spread != NULL)
        grid->spread(grid);
}

static void send(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper)
{
    const double begin = app_seconds();
    grid->send(grid, level, array, axis, upper);
    grid->exchanged += app_seconds() - begin;
}

static void receive(struct multigrid *grid, int level, enum multigrid_array array, int axis, bool upper)
{
    const double begin = app_seconds();
    grid->receive(grid, level, array, axis, upper);
    grid->exchanged += app_seconds() - begin;
}

static void gather(struct multigrid *grid)
{
    const double begin = app_seconds();
    grid->gather(grid, R(grid, grid->split.whole));
    grid->exchanged += app_seconds() - begin;
}

/* Writes planes of a slab, and their halo but for the planes beside the slab. */
static void write_planes(struct multigrid *grid, int level, enum multigrid_array array, operation *write,
                         long first, long end, bool upper)
{
    const struct box *all = &grid->arrays[level][array];
    write(grid, level, first, end);
    const long below[3] = {first - 1}, count[3] = {end - first, all->count[1], all->count[2]};
    struct box planes = box_part(all, below, count);
    box_wrap(&planes, 2, upper);
    box_wrap(&planes, 1, upper);
}

/* Where the slowest axis alone is cut: the outer planes travel while those between are written. */
static void write_slab(struct multigrid *grid, int level, enum multigrid_array array, operation *write,
                       bool upper)
{
    const long last = grid->arrays[level][array].count[0], end = upper || last == 1 ? last + 1 : last;
    if (end == last)
        write_planes(grid, level, array, write, last, last + 1, upper);
    write_planes(grid, level, array, write, 1, 2, upper);
    send(grid, level, array, 0, upper);
    if (end > 2)
        write_planes(grid, level, array, write, 2, end, upper);
    receive(grid, level, array, 0, upper);
}

/* Writes an array and fills its halo, or only that above. */
static void write_array(struct multigrid *grid, int level, enum multigrid_array array, operation *write,
                        bool upper)
{
    const int *parts = grid->split.grid;
    struct box *box = &grid->arrays[level][array];
    if (parts[0] > 1 && parts[1] == 1 && parts[2] == 1) {
        write_slab(grid, level, array, write, upper);
        return;
    }
    write(grid, level, 1, box->count[0] + 1);
    for (int axis = 2; axis >= 0; axis--) {
        if (parts[axis] == 1) {
            box_wrap(box, axis, upper);
        } else {
            send(grid, level, array, axis, upper);
            receive(grid, level, array, axis, upper);
        }
    }
}

/* x += M r, of a residual whose halo above is filled: down to the whole levels, and up again. */
static void cycle(struct multigrid *grid)
{
    const int top = grid->problem->levels, whole = grid->split.whole;
    for (int level = top - 1; level > whole; level--)
        write_array(grid, level, MULTIGRID_R, coarsen, true);
    box_restrict(&grid->share, R(grid, whole + 1), 1, grid->share.count[0] + 1);
    gather(grid);
    cycle_whole(grid);
    long first[3], count[3];
    split_block(&grid->split, grid->part, whole, first, count);
    const struct box mine = box_part(X(grid, whole), first, count);
    for (int level = whole + 1; level <= top; level++) {
        spread(grid, level, level - 1 > whole ? X(grid, level - 1) : &mine);
        write_array(grid, level, MULTIGRID_R, residual, false);
        write_array(grid, level, MULTIGRID_X, smooth, false);
    }
}

static void clear(struct multigrid *grid)
{
    const struct box *x = X(grid, grid->problem->levels);
    for (long k = 1 - grid->lower_halo; k <= x->count[0] + grid->upper_halo; k++)
        for (long j = 0; j <= x->count[1] + 1; j++)
            memset(box_row(x, k, j), 0, (size_t)(x->count[2] + 2) * sizeof(double));
    if (grid->spread != NULL)
        grid->spread(grid);
}

void multigrid_solve(struct multigrid *grid)
{
    const int top = grid->problem->levels;
    grid->exchanged = 0;
    clear(grid);
    for (int i = 0; i < grid->problem->iterations; i++) {
        write_array(grid, top, MULTIGRID_R, residual, true);
        cycle(grid);
    }
    residual(grid, top, 1, X(grid, top)->count[0] + 1);
}

long multigrid_most(const struct multigrid *grid)
{
    long room[3];
    split_room(&grid->split, grid->split.whole, room);
    return room[0] * room[1] * room[2];
}

void multigrid_pack(const struct multigrid *grid, double *mine)
{
    const struct box *share = &grid->share;
    for (long k = 1; k <= share->count[0]; k++)
        for (long j = 1; j <= share->count[1]; j++, mine += share->count[2])
            memcpy(mine, box_row(share, k, j) + 1, (size_t)share->count[2] * sizeof(double));
}

static void unpack(struct box *box, const double *cells)
{
    for (long k = 1; k <= box->count[0]; k++)
        for (long j = 1; j <= box->count[1]; j++, cells += box->count[2])
            memcpy(box_row(box, k, j) + 1, cells, (size_t)box->count[2] * sizeof(double));
}

void multigrid_unpack(const struct multigrid *grid, const double *all, struct box *whole)
{
    const int *parts = grid->split.grid;
    for (int part = 0; part < parts[0] * parts[1] * parts[2]; part++) {
        long first[3], count[3];
        split_block(&grid->split, part, grid->split.whole, first, count);
        struct box box = box_part(whole, first, count);
        unpack(&box, all + part * multigrid_most(grid));
    }
}

double multigrid_square(const struct multigrid *grid)
{
    return box_square(R(grid, grid->problem->levels));
}

double multigrid_norm(const struct problem *problem, double sum)
{
    return sqrt(sum / exp2(3.0 * problem->levels));
}
