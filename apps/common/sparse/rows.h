/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A sparse matrix over all PEs: each holds a block of consecutive rows, blocks chosen so that
 * every PE has about the same number of entries. Where each row starts is known everywhere, so
 * any PE can fetch any row with one get.
 */
#ifndef ROWS_H
#define ROWS_H

#include "csr.h"

struct rows {
    long order;
    long entries; /* of all PEs */
    long first;   /* mine: first .. first + count - 1 */
    long count;
    long most;      /* entries of the fullest PE */
    long longest;   /* entries of the longest row */
    long *block;    /* private: PE p's rows are block[p] .. block[p + 1] - 1 */
    long *start;    /* symmetric, of all rows, as in struct csr */
    long *column;   /* symmetric: my rows' columns */
    double *value;  /* symmetric: their values; NULL in a pattern */
};

/* Collective. whole is read on PE 0 alone. 0, or 1 on all PEs, the reason printed. */
int rows_scatter(const struct csr *whole, struct rows *rows);
void rows_free(struct rows *rows);

/* The PE that holds a row. */
int rows_owner(const struct rows *rows, long row);

/* Where row's first entry lies in its owner's column and value. */
static inline long rows_position(const struct rows *rows, int owner, long row)
{
    return rows->start[row] - rows->start[rows->block[owner]];
}

#endif
