/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The faces of a box: runs of cells in two dimensions. Plain C. Faces normal to axis 1 reach over the halo
 * of axis 2, those normal to axis 0 over both, so that edges and corners arrive with faces when axes are
 * done in the order 2, 1, 0.
 */
#ifndef FACE_H
#define FACE_H

#include "box.h"

struct face {
    double *at;
    long run;               /* contiguous cells */
    long inner, inner_step; /* runs, and cells from one to the next */
    long outer, outer_step; /* so many times */
};

/* The layer of cells number `layer` along an axis: 0 and count + 1 are the halo. */
struct face face_of(const struct box *box, int axis, long layer);

static inline long face_cells(const struct face *face)
{
    return face->run * face->inner * face->outer;
}

void face_pack(const struct face *face, double *cells);
void face_unpack(const struct face *face, const double *cells);

/* Between faces of boxes of which each may have steps of its own. */
void face_copy(const struct face *to, const struct face *from);

#endif
