/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A reader of Matrix Market files, coordinate format: real, integer or pattern entries; general,
 * symmetric or skew-symmetric. It knows no PEs: one of them reads. A file with any fault is
 * refused with a line that names the file, the line, what was expected and what is there.
 */
#ifndef MTX_H
#define MTX_H

#include <stdbool.h>
#include <stddef.h>

enum mtx_symmetry { MTX_GENERAL, MTX_SYMMETRIC, MTX_SKEW };

/* Counted from 0. Of a symmetric matrix the lower triangle is there: row >= column. */
struct mtx_entry {
    long row;
    long column;
    double value; /* 1 in a pattern */
    long line;    /* of the file */
};

struct mtx {
    long rows;
    long columns;
    long count; /* entries stored in the file */
    bool pattern;
    enum mtx_symmetry symmetry;
    struct mtx_entry *entry; /* ordered by row, then column; no two at one place */
};

/* 0, and the caller frees the matrix; or -1 and the reason is in error. */
int mtx_read(const char *path, struct mtx *matrix, char *error, size_t error_size);
void mtx_free(struct mtx *matrix);

#endif
