/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A sparse pattern over all PEs as one list of columns for each row, built of pairs that any PE may have:
 * each PE finds a place for each of its pairs by a fetch-and-increment where the row is, and puts the
 * column there.
 */
#ifndef LISTS_H
#define LISTS_H

#include "openshmem.h"

#include <stdbool.h>

struct pair {
    long row, column;
    double value;
};

/* Row r is row r % per_pe of PE r / per_pe. */
struct lists {
    long rows, per_pe;
    long count;    /* of my rows */
    long *start;   /* symmetric: my row r's list is start[r] .. start[r + 1] - 1; in no order */
    long *place;   /* symmetric: where the next column of each row goes, while they are built */
    long *column;  /* symmetric */
    double *value; /* symmetric; NULL without values */
    long all;      /* columns of all PEs */
};

/* Collective. 0, or 1 on all PEs, the reason printed; in either case lists_free is called then. */
int lists_build(struct lists *lists, int way, long rows, const struct pair *pairs, long count, bool values);
void lists_free(struct lists *lists);

/* Reads the lists of so many rows, of any PE, all at a time as far as there is room, and hands each column
 * over with its row's index. state is each's. */
#define LISTS_READ 1024 /* rows at most */
void lists_read(const struct lists *lists, shmem_ctx_t ctx, const long *row, int count,
                void (*each)(void *state, int index, long column), void *state);

static inline int lists_owner(const struct lists *lists, long row)
{
    return (int)(row / lists->per_pe);
}

static inline long lists_first(const struct lists *lists, int pe)
{
    return pe * lists->per_pe < lists->rows ? pe * lists->per_pe : lists->rows;
}

#endif
