/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Noncontiguous puts, gets and accumulates, in memory where the PE is near and otherwise through the
 * engine; and the handles of the nonblocking ones.
 */
#ifndef SHEAF_CORE_ACCESS_TRANSFER_H
#define SHEAF_CORE_ACCESS_TRANSFER_H

#include "core/pe/public_extensions.h"
#include "core/access/copy/copy.h"
#include "core/access/route.h"
#include "core/access/shape.h"

enum sheaf_transfer_kind { SHEAF_TRANSFER_PUT, SHEAF_TRANSFER_GET, SHEAF_TRANSFER_ACCUMULATE };

/* What all parts of a call have in common. */
struct sheaf_transfer {
    enum sheaf_transfer_kind kind;
    bool nb;                         /* does not block */
    shmem_ctx_t ctx;
    int pe;                          /* in the world */
    const char *call;                /* the public name, for messages */
    shmemx_handle_t *handle;         /* nb: written; NULL where quiet alone completes the call */
    const struct sheaf_scale *scale; /* of an accumulate */
};

void sheaf_transfer_shape(const struct sheaf_transfer *transfer, void *dest, const void *source,
                          const struct sheaf_shape_call *given);
void sheaf_transfer_vector(const struct sheaf_transfer *transfer, const shmemx_vector_t *vectors,
                           size_t count);

static inline bool sheaf_shape_is_apart(ptrdiff_t stride, size_t run)
{
    return (stride < 0 ? -(size_t)stride : (size_t)stride) >= run;
}

/* The usual call: a put or get of rows of a near PE with valid arguments, without the code that all
 * other calls need. So a row costs less than a call, even where rows are few. Returns whether the call
 * was such a one. */
static inline bool sheaf_transfer_near(void *dest, const void *source,
                                       const struct sheaf_shape_call *given, int pe, bool is_get, bool nb)
{
    if (!sheaf_route_is_near(pe) || given->dims != 2 || !given->counts || !given->dest_strides ||
        !given->source_strides)
        return false;
    size_t run = given->counts[0], count = given->counts[1];
    if ((run | count) > UINT32_MAX || run == 0 || (nb && run * count >= sheaf_copy_nbi_from) ||
        !sheaf_shape_is_apart(given->dest_strides[0], run) ||
        !sheaf_shape_is_apart(given->source_strides[0], run))
        return false;
    sheaf_copy_blocks(is_get ? dest : sheaf_route_near(dest, pe),
                        is_get ? sheaf_route_near(source, pe) : source, given->dest_strides[0],
                        given->source_strides[0], count, run);
    return true;
}

/* Called before an atomic set or swap of a floating-point number, which the fast path does not serve: from
 * now on accumulates of the target's node are atomic with respect to it. Ends the program where the
 * arguments are wrong. */
void sheaf_transfer_before_float_atomic(void *dest, size_t bytes, int pe, const char *call);

/* test returns whether the call is complete. If so, and after wait, *handle is SHMEMX_HANDLE_COMPLETE. */
bool sheaf_transfer_test(shmemx_handle_t *handle);
void sheaf_transfer_wait(shmemx_handle_t *handle);

#endif
