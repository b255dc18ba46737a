/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The collectives over a team, in bytes and ranks. dest and source are symmetric. Each returns 0.
 * On return the local dest is complete and the local source may be reused, and dest may be given
 * to the next collective at once.
 */
#ifndef SHEAF_COLL_COLL_H
#define SHEAF_COLL_COLL_H

#include "base/settings/env.h"
#include "core/team/team.h"

#include <stddef.h>
#include <stdint.h>

/* Chooses the algorithms: a sheaf_job_prepare. */
int sheaf_coll_prepare(const struct sheaf_settings *settings);

/* dest is written on the root too when on_root (the team form), not else (the active-set form). */
int sheaf_broadcast(struct sheaf_team *team, void *dest, const void *source, size_t bytes, int root,
                    bool on_root);

/* bytes from every rank, the same number; dest holds size * bytes. */
int sheaf_fcollect(struct sheaf_team *team, void *dest, const void *source, size_t bytes);

/* bytes may differ per rank, and be 0; dest holds their sum, in rank order. */
int sheaf_collect(struct sheaf_team *team, void *dest, const void *source, size_t bytes);

/* Block k of my source (bytes each) becomes block my-rank of rank k's dest. */
int sheaf_alltoall(struct sheaf_team *team, void *dest, const void *source, size_t bytes);

/* The same with elements: block k begins at element k * count * stride, its elements are stride
 * apart; dest_stride in dest, source_stride in source. */
int sheaf_alltoalls(struct sheaf_team *team, void *dest, const void *source, ptrdiff_t dest_stride,
                    ptrdiff_t source_stride, size_t count, size_t element_bytes);

/* An operator on one type: accumulator[i] = accumulator[i] op operand[i]. */
struct sheaf_operator {
    size_t element_bytes;
    bool exact; /* the result has the same bits in whatever order operands are combined */
    void (*combine)(void *accumulator, const void *operand, size_t count);
};

/* dest may equal source on all PEs. Every PE combines in the same order, so all get the same
 * bits. */
int sheaf_reduce(struct sheaf_team *team, void *dest, const void *source, size_t count,
                 const struct sheaf_operator *operator);

/* Rank r gets the combination of ranks 0..r (inclusive) or 0..r-1 (exclusive; zero bytes on
 * rank 0, the identity of every sum). */
int sheaf_scan(struct sheaf_team *team, void *dest, const void *source, size_t count,
               const struct sheaf_operator *operator, bool exclusive);

/* Operators: SHEAF_OPERATOR(sum, long) is the name of that object. Declared in operators.h. */
#define SHEAF_OPERATOR(operation, type_name) sheaf_operator_##operation##_##type_name

#endif
