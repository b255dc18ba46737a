/* SPDX-License-Identifier: BSD-3-Clause */
#include "split.h"

#include <math.h>
#include <stdio.h>

/* The level that all hold costs each a message per part, and its work is done by all; the levels above cost
 * messages to neighbours. 2^3 cells per side weigh less than the messages of one more level. */
#define LEAST_WHOLE 3

static long first_of(long count, int place, int parts)
{
    const long share = count / parts, extra = count % parts;
    return place * share + (place < extra ? place : extra);
}

static long most_of(long count, int parts)
{
    return (count + parts - 1) / parts;
}

static bool fits(const int grid[3], int level)
{
    return grid[0] <= 1L << level && grid[1] <= 1L << level && grid[2] <= 1L << level;
}

/* Cells that the fullest part works on per cycle, by which level is whole: the block it has of the largest
 * cube, and all of the whole one; levels below each add an eighth. */
static double work(const int grid[3], int levels, int whole)
{
    double block = 1;
    for (int axis = 0; axis < 3; axis++)
        block *= (double)most_of(1L << whole, grid[axis]);
    return block * exp2(3.0 * (levels - whole)) + exp2(3.0 * whole);
}

static int choose_whole(const int grid[3], int levels)
{
    const int parts = grid[0] * grid[1] * grid[2];
    int best = -1;
    for (int whole = LEAST_WHOLE; whole < levels; whole++)
        if (fits(grid, whole) && (best < 0 || work(grid, levels, whole) < work(grid, levels, best)))
            best = whole;
    return parts == 1 ? LEAST_WHOLE : best;
}

/* Cells that a part sends per exchange, in units of the cube's faces. */
static double faces(const int grid[3])
{
    const double parts = (double)grid[0] * grid[1] * grid[2];
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        if (grid[axis] > 1)
            sum += grid[axis] / parts;
    return sum;
}

/* Of grids with equal faces the one that is cut least along the faster axes, whose faces are scattered. */
static bool choose_grid(int parts, int levels, int grid[3])
{
    double least = 0;
    for (int c = 1; c <= parts; c++)
        for (int b = 1; parts % c == 0 && b <= parts / c; b++) {
            const int candidate[3] = {parts / c / b, b, c};
            if (parts / c % b != 0 || !fits(candidate, levels - 1))
                continue;
            if (least > 0 && faces(candidate) >= least)
                continue;
            least = parts > 1 ? faces(candidate) : 1;
            for (int axis = 0; axis < 3; axis++)
                grid[axis] = candidate[axis];
        }
    return least > 0;
}

bool split_make(struct split *split, int parts, int levels, const int grid[3])
{
    for (int axis = 0; axis < 3; axis++)
        split->grid[axis] = grid[axis];
    if (grid[0] == 0 && !choose_grid(parts, levels, split->grid))
        return false;
    split->whole = choose_whole(split->grid, levels);
    return split->whole >= 0;
}

bool split_parse(const char *text, int parts, int grid[3])
{
    char more;
    if (sscanf(text, "%5dx%5dx%5d%c", &grid[0], &grid[1], &grid[2], &more) != 3)
        return false;
    for (int axis = 0; axis < 3; axis++)
        if (grid[axis] < 1)
            return false;
    return (long)grid[0] * grid[1] * grid[2] == parts;
}

void split_place(const struct split *split, int part, int place[3])
{
    for (int axis = 2; axis >= 0; axis--) {
        place[axis] = part % split->grid[axis];
        part /= split->grid[axis];
    }
}

int split_neighbour(const struct split *split, int part, int axis, int way)
{
    int place[3];
    split_place(split, part, place);
    place[axis] = (place[axis] + way + split->grid[axis]) % split->grid[axis];
    return (place[0] * split->grid[1] + place[1]) * split->grid[2] + place[2];
}

void split_block(const struct split *split, int part, int level, long first[3], long count[3])
{
    const long scale = 1L << (level - split->whole);
    int place[3];
    split_place(split, part, place);
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = scale * first_of(1L << split->whole, place[axis], split->grid[axis]);
        count[axis] =
            scale * first_of(1L << split->whole, place[axis] + 1, split->grid[axis]) - first[axis];
    }
}

void split_room(const struct split *split, int level, long room[3])
{
    for (int axis = 0; axis < 3; axis++)
        room[axis] = (1L << (level - split->whole)) * most_of(1L << split->whole, split->grid[axis]);
}
