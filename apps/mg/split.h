/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the cubes of all levels are spread over a grid of parts (PEs, processes, threads). Plain C, used by
 * all three versions. Levels above `whole` are cut into blocks, whose borders lie in the same places on all
 * of them; every part holds all of level `whole` and of those below.
 */
#ifndef SPLIT_H
#define SPLIT_H

#include <stdbool.h>

struct split {
    int grid[3]; /* parts along each axis */
    int whole;   /* a level: 2^whole cells per side */
};

/* Splits 2^levels cells per side. Without a grid (its first number is 0) takes that of the smallest faces.
 * False when there are too many parts. */
bool split_make(struct split *split, int parts, int levels, const int grid[3]);

/* From a text like "2x2x1". False, when it is none or has not so many parts. */
bool split_parse(const char *text, int parts, int grid[3]);

void split_place(const struct split *split, int part, int place[3]);

/* The neighbour one up (1) or down (-1) along an axis; the ends are joined. */
int split_neighbour(const struct split *split, int part, int axis, int way);

/* The block of a part on a level above `whole`; on that level itself what it restricts to. */
void split_block(const struct split *split, int part, int level, long first[3], long count[3]);

/* Cells of the largest block along each axis. */
void split_room(const struct split *split, int level, long room[3]);

#endif
