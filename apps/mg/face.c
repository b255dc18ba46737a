/* SPDX-License-Identifier: BSD-3-Clause */
#include "face.h"

#include <string.h>

struct face face_of(const struct box *box, int axis, long layer)
{
    if (axis == 0)
        return (struct face){box_row(box, layer, 0), (box->count[1] + 2) * box->row, 1, 0, 1, 0};
    if (axis == 1)
        return (struct face){box_row(box, 1, layer), box->count[2] + 2, 1, 0, box->count[0], box->plane};
    return (struct face){box_row(box, 1, 1) + layer, 1, box->count[1], box->row, box->count[0], box->plane};
}

static inline void copy(double *to, const double *from, long count)
{
    if (count == 1)
        *to = *from;
    else
        memcpy(to, from, (size_t)count * sizeof *to);
}

void face_copy(const struct face *to, const struct face *from)
{
    for (long i = 0; i < from->outer; i++)
        for (long j = 0; j < from->inner; j++)
            copy(to->at + i * to->outer_step + j * to->inner_step,
                 from->at + i * from->outer_step + j * from->inner_step, from->run);
}

/* The same face in a row. */
static struct face packed(const struct face *face, double *cells)
{
    return (struct face){cells, face->run, face->inner, face->run, face->outer, face->run * face->inner};
}

void face_pack(const struct face *face, double *cells)
{
    const struct face row = packed(face, cells);
    face_copy(&row, face);
}

void face_unpack(const struct face *face, const double *cells)
{
    const struct face row = packed(face, (double *)cells);
    face_copy(face, &row);
}
