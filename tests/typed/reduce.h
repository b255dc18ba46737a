/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One row per TYPENAME of the reduction tables: team reductions and scans, and the deprecated
 * reductions over active sets, behind wrappers of one signature. Rows in reduce_rows.c, checks
 * in reduce.c.
 */
#ifndef TEST_REDUCE_H
#define TEST_REDUCE_H

#include "types.h"

#include <shmem.h>

enum reduction {
    REDUCE_AND,
    REDUCE_OR,
    REDUCE_XOR,
    REDUCE_MAX,
    REDUCE_MIN,
    REDUCE_SUM,
    REDUCE_PROD,
    SUM_INSCAN,
    SUM_EXSCAN,
    REDUCTIONS
};

/* A team, or an active set with its work arrays; and my place in it. */
struct group {
    shmem_team_t team;
    int start, log_stride;
    int size, rank;
    void *work;
    long *sync;
};

typedef int reduce_call(const struct group *group, void *dest, const void *source, size_t count);

struct reduce_row {
    const char *type;
    bool is_complex;
    reduce_call *calls[REDUCTIONS];
    void (*combine)(enum reduction kind, void *accumulator, const void *operand);
};

extern const struct reduce_row reduce_team_rows[];
extern const size_t reduce_team_row_count;
extern const struct reduce_row reduce_set_rows[];
extern const size_t reduce_set_row_count;

#endif
