/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The operators A, S, P and Q. Each first adds up, for one row, the neighbours that differ in one of the
 * two slower coordinates (`faces`) and in both (`edges`); along the row these sums are then used three
 * times.
 */
#include "box.h"
#include "problem.h"

#include <string.h>

#define MOST_ROW (PROBLEM_MOST_SIZE + 2)

/* The sums for cells first .. end - 1 of a row. */
static inline void add_neighbours(const double *restrict at, long row, long plane, long first, long end,
                                  double *restrict faces, double *restrict edges)
{
    for (long i = first; i < end; i++) {
        faces[i] = at[i - row] + at[i + row] + at[i - plane] + at[i + plane];
        edges[i] = at[i - plane - row] + at[i - plane + row] + at[i + plane - row] + at[i + plane + row];
    }
}

/* A: -8/3 for the cell, 0 for faces, 1/6 for edges, 1/12 for corners. */
static inline double apply(const double *x, const double *faces, const double *edges, long i)
{
    return -8.0 / 3.0 * x[i] + 1.0 / 6.0 * (edges[i] + faces[i - 1] + faces[i + 1]) +
           1.0 / 12.0 * (edges[i - 1] + edges[i + 1]);
}

/* A loop for each case: a compiler must know that what is written is not read elsewhere in the loop. */
static inline void subtract_row(double *restrict result, const double *restrict x,
                                const double *restrict faces, const double *restrict edges, long count)
{
    for (long i = 1; i <= count; i++)
        result[i] -= apply(x, faces, edges, i);
}

static inline void residual_row(double *restrict result, const double *restrict given,
                                const double *restrict x, const double *restrict faces,
                                const double *restrict edges, long count)
{
    for (long i = 1; i <= count; i++)
        result[i] = given[i] - apply(x, faces, edges, i);
}

void box_residual(struct box *result, const struct box *given, const struct box *x, long first, long end)
{
    double faces[MOST_ROW], edges[MOST_ROW];
    for (long k = first; k < end; k++)
        for (long j = 1; j <= x->count[1]; j++) {
            const double *row = box_row(x, k, j);
            add_neighbours(row, x->row, x->plane, 0, x->count[2] + 2, faces, edges);
            if (result == given)
                subtract_row(box_row(result, k, j), row, faces, edges, x->count[2]);
            else
                residual_row(box_row(result, k, j), box_row(given, k, j), row, faces, edges, x->count[2]);
        }
}

static inline void smooth_row(double *restrict x, const double *restrict r, const double *restrict faces,
                              const double *restrict edges, struct weights weights, long count)
{
    for (long i = 1; i <= count; i++)
        x[i] += weights.self * r[i] + weights.face * (r[i - 1] + r[i + 1] + faces[i]) +
                weights.edge * (edges[i] + faces[i - 1] + faces[i + 1]);
}

void box_smooth(struct box *x, const struct box *r, const struct weights *weights, long first, long end)
{
    double faces[MOST_ROW], edges[MOST_ROW];
    for (long k = first; k < end; k++)
        for (long j = 1; j <= x->count[1]; j++) {
            const double *row = box_row(r, k, j);
            add_neighbours(row, r->row, r->plane, 0, r->count[2] + 2, faces, edges);
            smooth_row(box_row(x, k, j), row, faces, edges, *weights, x->count[2]);
        }
}

/* P: 1/2 for the cell, 1/4 for faces, 1/8 for edges, 1/16 for corners. */
static inline void restrict_row(double *restrict coarse, const double *restrict fine,
                                const double *restrict faces, const double *restrict edges, long count)
{
    for (long i = 1; i <= count; i++)
        coarse[i] = 0.5 * fine[2 * i] + 0.25 * (fine[2 * i - 1] + fine[2 * i + 1] + faces[2 * i]) +
                    0.125 * (edges[2 * i] + faces[2 * i - 1] + faces[2 * i + 1]) +
                    0.0625 * (edges[2 * i - 1] + edges[2 * i + 1]);
}

void box_restrict(struct box *coarse, const struct box *fine, long first, long end)
{
    double faces[MOST_ROW], edges[MOST_ROW];
    for (long k = first; k < end; k++)
        for (long j = 1; j <= coarse->count[1]; j++) {
            const double *row = box_row(fine, 2 * k, 2 * j);
            add_neighbours(row, fine->row, fine->plane, 1, fine->count[2] + 2, faces, edges);
            restrict_row(box_row(coarse, k, j), row, faces, edges, coarse->count[2]);
        }
}

/* Cells of a fine row lie on those of a coarse one and between two of these. */
static inline void spread_row(double *restrict fine, const double *restrict coarse, double weight,
                              long count, bool add)
{
    const double half = 0.5 * weight;
    if (add)
        for (long i = 0; i <= count; i++) {
            fine[2 * i] += weight * coarse[i];
            fine[2 * i + 1] += half * (coarse[i] + coarse[i + 1]);
        }
    else
        for (long i = 0; i <= count; i++) {
            fine[2 * i] = weight * coarse[i];
            fine[2 * i + 1] = half * (coarse[i] + coarse[i + 1]);
        }
}

/* Rows 2 j and 2 j + 1 of a fine plane, from one coarse plane or the sum of two. */
static void spread_rows(struct box *fine, const struct box *coarse, long plane, long j, bool add)
{
    const long count = coarse->count[2];
    const double *low = box_row(coarse, plane / 2, j), *next = low + coarse->row;
    const double *above = low + coarse->plane, *beyond = next + coarse->plane;
    double *even = box_row(fine, plane, 2 * j), *odd = even + fine->row;
    double sum[MOST_ROW];
    if (plane % 2 == 0) {
        spread_row(even, low, 1.0, count, add);
        for (long i = 0; i <= count + 1; i++)
            sum[i] = low[i] + next[i];
        spread_row(odd, sum, 0.5, count, add);
        return;
    }
    for (long i = 0; i <= count + 1; i++)
        sum[i] = low[i] + above[i];
    spread_row(even, sum, 0.5, count, add);
    for (long i = 0; i <= count + 1; i++)
        sum[i] += next[i] + beyond[i];
    spread_row(odd, sum, 0.25, count, add);
}

void box_prolong(struct box *fine, const struct box *coarse, long first, long end, bool add)
{
    for (long plane = first; plane < end; plane++)
        for (long j = 0; j <= coarse->count[1]; j++)
            spread_rows(fine, coarse, plane, j, add);
}

double box_square(const struct box *box)
{
    double sum = 0;
    for (long k = 1; k <= box->count[0]; k++)
        for (long j = 1; j <= box->count[1]; j++) {
            const double *row = box_row(box, k, j);
            double part = 0;
            for (long i = 1; i <= box->count[2]; i++)
                part += row[i] * row[i];
            sum += part;
        }
    return sum;
}

static void wrap_rows(struct box *box, bool upper)
{
    const long n = box->count[2];
    for (long k = 1; k <= box->count[0]; k++)
        for (long j = 1; j <= box->count[1]; j++) {
            double *row = box_row(box, k, j);
            row[n + 1] = row[1];
            if (!upper)
                row[0] = row[n];
        }
}

void box_wrap(struct box *box, int axis, bool upper)
{
    const long n = box->count[axis];
    if (axis == 2) {
        wrap_rows(box, upper);
        return;
    }
    const size_t bytes = (size_t)(axis == 1 ? box->row : box->plane) * sizeof(double);
    const long first = axis == 1 ? 1 : 0, last = axis == 1 ? box->count[0] : 0;
    for (long k = first; k <= last; k++) {
        double *cells = box->cells + k * box->plane;
        const long step = axis == 1 ? box->row : box->plane;
        memcpy(cells + (n + 1) * step, cells + step, bytes);
        if (!upper)
            memcpy(cells, cells + n * step, bytes);
    }
}
