/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A whole sparse matrix in compressed sparse rows, in one PE's private memory: row r's entries
 * are start[r] .. start[r + 1] - 1, their columns ascending. Made by the PE that read or
 * generated it, then handed out (rows.h). Knows no PEs.
 */
#ifndef CSR_H
#define CSR_H

#include "mtx.h"

struct csr {
    long order; /* rows */
    long *start;
    long *column;
    double *value; /* NULL in a pattern */
};

/* Room for so many rows and entries; start is zeroed. 0, or -1 and everything is free. */
int csr_create(struct csr *matrix, long order, long entries, bool values);
void csr_free(struct csr *matrix);

/* Both triangles of a square matrix. 0, or -1 when there is not enough memory. */
int csr_from_mtx(const struct mtx *source, struct csr *matrix);

/* The graph of a square matrix: an edge where an entry or its mirror image is, self loops left
 * out. Row r holds r's neighbours of a smaller number. 0, or -1. */
int csr_graph_from_mtx(const struct mtx *source, struct csr *graph);

/* Whether it equals its transpose, values included. */
bool csr_is_symmetric(const struct csr *matrix);

/* Position of an entry, or -1. */
long csr_find(const struct csr *matrix, long row, long column);

#endif
