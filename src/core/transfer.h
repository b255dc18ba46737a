/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Noncontiguous puts, gets and accumulates: in memory where the PE is near, through the engine else;
 * and the handles of those that do not block.
 */
#ifndef SHEAF_CORE_TRANSFER_H
#define SHEAF_CORE_TRANSFER_H

#include "core/public_extensions.h"
#include "core/shape.h"

enum sheaf_transfer_kind { SHEAF_TRANSFER_PUT, SHEAF_TRANSFER_GET, SHEAF_TRANSFER_ACCUMULATE };

/* What is the same for all parts of a call. */
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

/* Whether the call is complete; then, and after wait, *handle is SHMEMX_HANDLE_COMPLETE. */
bool sheaf_transfer_test(shmemx_handle_t *handle);
void sheaf_transfer_wait(shmemx_handle_t *handle);

#endif
