/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The types of the collectives as a table: the library's routines for each, and the model's way
 * to make, combine and compare values of it.
 */
#ifndef STRESS_TYPES_H
#define STRESS_TYPES_H

#include "stress.h"

enum reduction { R_AND, R_OR, R_XOR, R_MIN, R_MAX, R_SUM, R_PROD, REDUCTIONS };

typedef int reduce_routine(shmem_team_t team, void *dest, const void *source, size_t count);

struct type {
    const char *name;
    size_t size;
    reduce_routine *reduce[REDUCTIONS]; /* NULL where the specification has none */
    reduce_routine *inscan, *exscan;
    reduce_routine *collect, *fcollect, *alltoall;
    int (*broadcast)(shmem_team_t team, void *dest, const void *source, size_t count, int root);
    int (*alltoalls)(shmem_team_t team, void *dest, const void *source, ptrdiff_t dest_stride,
                     ptrdiff_t source_stride, size_t count);

    /* values of one PE in one round: over the whole range, or small enough for sums and products */
    void (*fill)(void *at, size_t count, uint64_t round, int pe, int small);
    void (*combine)(enum reduction reduction, void *accumulator, const void *operand, size_t count);
    /* index of the first element that differs, or count */
    size_t (*compare)(const void *a, const void *b, size_t count);
};

extern const struct type types[];
extern const int type_count;

#endif
