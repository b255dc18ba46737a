/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A deferred operation: a put, a get or an atomic operation that is performed after the call has returned,
 * with all that it needs by then. Its arguments have been checked. A near PE's memory is named by its
 * address in this process.
 */
#ifndef SHEAF_CORE_ACCESS_CHAOS_LATE_H
#define SHEAF_CORE_ACCESS_CHAOS_LATE_H

#include "core/pe/public.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stdint.h>

enum sheaf_late_kind { SHEAF_LATE_PUT, SHEAF_LATE_GET, SHEAF_LATE_AMO };

struct sheaf_late {
    enum sheaf_late_kind kind;
    shmem_ctx_t ctx;
    int pe;       /* in the world */
    bool is_near; /* the remote end is an address in this process; else it is a symmetric address */
    void *dest;   /* an atomic operation's: where its result goes, or NULL */
    const void *source;
    struct sheaf_blocks blocks; /* contiguous bytes are one block */
    bool is_reusable;           /* source may change once the call returns, so it is copied */
    bool has_signal;            /* behind a put's data */
    struct sheaf_signal_call signal;
    struct sheaf_amo_call amo;  /* of a near PE, object is an address in this process */
    uint64_t *arrived;          /* incremented after the operation; NULL: not counted */
    void *copy;                 /* of source, malloc'ed; NULL: none */
};

/* The bytes that a copy of its source takes. */
size_t sheaf_late_bytes(const struct sheaf_late *late);

/* Copies the source where the program may change it once the call returns. Returns whether there was
 * memory. */
bool sheaf_late_copy_source(struct sheaf_late *late);

/* Performs the operation and frees the copy. Returns when the source has been read and a get's dest
 * written. */
void sheaf_late_perform(struct sheaf_late *late);

/* Orders the operations that the context has started on far PEs before those that it starts next. */
void sheaf_late_order(shmem_ctx_t ctx);

#endif
