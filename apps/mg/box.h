/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block of cells with a halo one cell wide, and the four operators of the multigrid method on it. Plain
 * C, used by all three versions. Axis 0 is the slowest in memory, axis 2 the fastest. Cells are numbered
 * from 1 along each axis; 0 and count + 1 are the halo.
 */
#ifndef BOX_H
#define BOX_H

#include <stdbool.h>
#include <stddef.h>

struct box {
    long count[3];
    long row, plane; /* cells from one row, one plane to the next */
    double *cells;
};

/* Weights of a cell itself, of its 6 neighbours by faces, 12 by edges, 8 by corners. */
struct weights {
    double self, face, edge, corner;
};

/* Cells of a box with the halo. */
static inline long box_cells(const long count[3])
{
    return (count[0] + 2) * (count[1] + 2) * (count[2] + 2);
}

/* A box of count cells in memory that has room for `room` cells along each axis. */
static inline struct box box_of(const long count[3], const long room[3], double *cells)
{
    const long row = room[2] + 2;
    return (struct box){{count[0], count[1], count[2]}, row, (room[1] + 2) * row, cells};
}

static inline double *box_row(const struct box *box, long plane, long row)
{
    return box->cells + plane * box->plane + row * box->row;
}

/* The part of a box that begins after `first` cells along each axis. */
static inline struct box box_part(const struct box *box, const long first[3], const long count[3])
{
    struct box part = *box;
    part.cells = box_row(box, first[0], first[1]) + first[2];
    for (int axis = 0; axis < 3; axis++)
        part.count[axis] = count[axis];
    return part;
}

/* result = given - A x in planes first .. end - 1; result and given may be the same box. Reads x's
 * halo. */
void box_residual(struct box *result, const struct box *given, const struct box *x, long first, long end);

/* x += S r in planes first .. end - 1, where S has no weight for corners. Reads r's halo. */
void box_smooth(struct box *x, const struct box *r, const struct weights *weights, long first, long end);

/* coarse = P fine in planes first .. end - 1, where coarse cell j lies on fine cell 2 j. Reads fine's halo
 * above. */
void box_restrict(struct box *coarse, const struct box *fine, long first, long end);

/* fine = Q coarse, or fine += Q coarse, in planes first .. end - 1 of fine, its halo included. Reads
 * coarse's halo. */
void box_prolong(struct box *fine, const struct box *coarse, long first, long end, bool add);

/* Sum of the squares of all cells but the halo. */
double box_square(const struct box *box);

/* Cells of the halo from the opposite side of the same box, for a box that reaches all around along the
 * axis. Axes in the order 2, 1, 0; `upper` alone where the other side is not read. */
void box_wrap(struct box *box, int axis, bool upper);

#endif
