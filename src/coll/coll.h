/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The collectives over a team, in bytes and ranks. dest and source are symmetric. Each function returns 0.
 * On return the local dest is complete, the local source may be reused, and dest may be used by the next
 * collective at once.
 */
#ifndef SHEAF_COLL_COLL_H
#define SHEAF_COLL_COLL_H

#include "base/settings/env.h"
#include "core/team/team.h"

#include <stddef.h>
#include <stdint.h>

/* Chooses the algorithms; a sheaf_job_prepare. */
int sheaf_coll_prepare(const struct sheaf_settings *settings);

/* With on_root (the team form) dest is also written on the root; without it (the active-set form) it is
 * not. */
int sheaf_broadcast(struct sheaf_team *team, void *dest, const void *source, size_t bytes, int root,
                    bool on_root);

/* Every rank contributes the same number of bytes; dest holds size * bytes. */
int sheaf_fcollect(struct sheaf_team *team, void *dest, const void *source, size_t bytes);

/* The ranks' bytes may differ, and be 0; dest holds their sum, in rank order. */
int sheaf_collect(struct sheaf_team *team, void *dest, const void *source, size_t bytes);

/* Block k of this PE's source, of bytes bytes, becomes block number (own rank) of rank k's dest. */
int sheaf_alltoall(struct sheaf_team *team, void *dest, const void *source, size_t bytes);

/* The same with strides: block k begins at element k * count * stride, and its elements are stride
 * apart, dest_stride in dest and source_stride in source. */
int sheaf_alltoalls(struct sheaf_team *team, void *dest, const void *source, ptrdiff_t dest_stride,
                    ptrdiff_t source_stride, size_t count, size_t element_bytes);

/* An operator on one type: accumulator[i] = accumulator[i] op operand[i]. */
struct sheaf_operator {
    size_t element_bytes;
    bool exact; /* the result has the same bits for any order of the operands */
    void (*combine)(void *accumulator, const void *operand, size_t count);
};

/* dest may equal source on all PEs. Every PE combines in the same order, so all get the same bits. */
int sheaf_reduce(struct sheaf_team *team, void *dest, const void *source, size_t count,
                 const struct sheaf_operator *operator);

/* Rank r gets the combination of ranks 0..r (inclusive) or 0..r-1 (exclusive; zero bytes on
 * rank 0, the identity of every sum). */
int sheaf_scan(struct sheaf_team *team, void *dest, const void *source, size_t count,
               const struct sheaf_operator *operator, bool exclusive);

/* Operators: SHEAF_OPERATOR(sum, long) is the name of that object. Declared in operators.h. */
#define SHEAF_OPERATOR(operation, type_name) sheaf_operator_##operation##_##type_name

#endif
