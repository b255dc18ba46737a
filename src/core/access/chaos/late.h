/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An operation that is performed after the call that asked for it: what a put, a get or an atomic operation
 * has to know by then. Arguments have been checked; a near PE's memory is named by where it lies here.
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
    bool is_near; /* the remote end is an address of this process, else symmetric */
    void *dest;   /* of an atomic operation: where its result goes, or NULL */
    const void *source;
    struct sheaf_blocks blocks; /* bytes of a row are one block */
    bool is_reusable;           /* source may change once the call returns: keep a copy */
    bool has_signal;            /* behind a put's data */
    struct sheaf_signal_call signal;
    struct sheaf_amo_call amo;  /* where near, object lies here */
    uint64_t *arrived;          /* counted up after it, for who counts; NULL: nobody does */
    void *copy;                 /* of source, malloc'ed; NULL: none */
};

/* The bytes that keeping its source would take. */
size_t sheaf_late_bytes(const struct sheaf_late *late);

/* Keeps what the call may change after it returns. Whether there was memory for it. */
bool sheaf_late_keep(struct sheaf_late *late);

/* Performs it; returns when the source is read and the dest of a get is written. Forgets the copy. */
void sheaf_late_perform(struct sheaf_late *late);

/* Orders what the context has started on far PEs before what it starts next. */
void sheaf_late_order(shmem_ctx_t ctx);

#endif
