/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The race checker: a library with which oshcc --check=races links a program in place of the compiler's
 * own ThreadSanitizer. The calls that the compiler has put in front of loads and stores end here, and so
 * do the routines of OpenSHMEM: those below say to the checker what a routine does, before and after the
 * library's own. They are called by addons/races/wrappers.c, which scripts/print-races prints at build time
 * from the same lines as the public headers.
 */
#ifndef SHEAF_RACES_RACES_H
#define SHEAF_RACES_RACES_H

#include <pshmem.h>
#include <shmemx.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Of atomic operations: those of different types are not atomic to each other. */
enum races_type {
    RACES_NONE, /* of C's and C++'s own, which are atomic to all */
    RACES_INT,
    RACES_UINT,
    RACES_LONG,
    RACES_ULONG,
    RACES_LONGLONG,
    RACES_ULONGLONG,
    RACES_FLOAT,
    RACES_DOUBLE,
    RACES_COMPLEXF,
    RACES_COMPLEXD,
    RACES_SIGNAL_SET,
    RACES_SIGNAL_ADD
};
#define RACES_TYPE(X)                                                                                    \
    _Generic((X), int: RACES_INT, unsigned: RACES_UINT, long: RACES_LONG, unsigned long: RACES_ULONG,    \
             long long: RACES_LONGLONG, unsigned long long: RACES_ULONGLONG, float: RACES_FLOAT,         \
             double: RACES_DOUBLE, float _Complex: RACES_COMPLEXF, double _Complex: RACES_COMPLEXD)

struct races_call {
    const char *name;
    uintptr_t caller;
    enum races_type type;    /* of an atomic operation */
    struct races_team *team; /* of a collective; NULL: none is checked */
    uint64_t number;         /* of it in the team */
    uint64_t count;          /* elements, where each member brings its own number */
};

/* Bytes of a transfer: count blocks of so many bytes, whose beginnings lie so far apart. */
struct races_shape {
    size_t block, count;
    ptrdiff_t dest, source;
};

/* Before each call: whether the level of threads that was asked for allows it. */
void races_called(const struct races_call *call);

enum races_amo { RACES_FETCH, RACES_SET, RACES_MODIFY, RACES_MODIFY_FETCH };

/* source NULL: a value; is_nbi: source is read until quiet. */
void races_put(const struct races_call *call, shmem_ctx_t ctx, const void *dest, const void *source,
               struct races_shape shape, int pe, bool is_nbi);
/* Before the call; dest NULL: a value. */
void races_get(const struct races_call *call, shmem_ctx_t ctx, const void *dest, const void *source,
               struct races_shape shape, int pe, bool is_nbi);
/* To dest, by additions that are atomic each. */
void races_accumulate(const struct races_call *call, shmem_ctx_t ctx, const void *dest, const void *source,
                      struct races_shape shape, int pe, bool is_nbi);
void races_amo_begin(const struct races_call *call, shmem_ctx_t ctx, const void *object, size_t bytes,
                     int pe, enum races_amo amo);
void races_amo_end(const struct races_call *call, shmem_ctx_t ctx, const void *object, size_t bytes,
                   int pe);
void races_amo_nbi(const struct races_call *call, shmem_ctx_t ctx, const void *fetch, const void *object,
                   size_t bytes, int pe, enum races_amo amo);
void races_put_signal(const struct races_call *call, shmem_ctx_t ctx, const void *dest,
                      const void *source, size_t bytes, const uint64_t *signal, int pe, bool is_nbi);
void races_signal(const struct races_call *call, shmem_ctx_t ctx, const uint64_t *signal, int pe);

/* Transfers of shmemx.h: runs of counts[0] bytes in dims dimensions, or lists. Where is_nb is set, quiet or
 * the handle ends them. */
enum races_transfer { RACES_PUT, RACES_GET, RACES_ACCUMULATE };
struct races_runs {
    void *dest;
    const void *source;
    const ptrdiff_t *dest_strides, *source_strides;
    const size_t *counts;
    int dims;
};
void races_runs(const struct races_call *call, shmem_ctx_t ctx, struct races_runs runs, int pe,
                enum races_transfer transfer, bool is_nb);
void races_vectors(const struct races_call *call, shmem_ctx_t ctx, const shmemx_vector_t *vectors,
                   size_t count, int pe, enum races_transfer transfer, bool is_nb);
/* An operation that this handle ends has begun; and ended. */
void races_handle_begun(const struct races_call *call, shmem_ctx_t ctx, int pe, const void *handle);
void races_handle_ended(const struct races_call *call, const void *handle);

/* The variable has the value that was waited for. */
void races_seen(const struct races_call *call, const void *variable, size_t bytes);
void races_seen_all(const struct races_call *call, const void *variables, size_t bytes, size_t count,
                    const int *status);
void races_seen_some(const struct races_call *call, const void *variables, size_t bytes,
                     const size_t *indices, size_t count);

void races_fence(const struct races_call *call, shmem_ctx_t ctx);
void races_quiet(const struct races_call *call, shmem_ctx_t ctx);
void races_pe_quiet(const struct races_call *call, shmem_ctx_t ctx, const int *pes, size_t count);
void races_context_end(const struct races_call *call, shmem_ctx_t ctx);

void races_lock_wanted(const struct races_call *call);
void races_lock_taken(const struct races_call *call, const long *lock);
void races_lock_given(const struct races_call *call, const long *lock);

/* Collectives. What a member brings is the clock with which it comes; whose it takes follows from the
 * kind. */
enum races_collective {
    RACES_BARRIER,  /* and quiet on the default context */
    RACES_SYNC,     /* stores are seen by all */
    RACES_GATHER,   /* what each member gets hangs on all others */
    RACES_SCAN,     /* on those before it */
    RACES_BROADCAST /* on the root */
};
/* In this order: the team, what is read, the arrival; the library's routine; the end, what was written.
 */
void races_team_find(struct races_call *call, shmem_team_t team);
void races_set_find(struct races_call *call, int start, int log_stride, int size);
int races_team_size(const struct races_call *call);
int races_team_rank(const struct races_call *call);
void races_source(const struct races_call *call, const void *source, struct races_shape shape);
void races_arrive(struct races_call *call, enum races_collective kind);
/* root: its number in the team. */
void races_leave(const struct races_call *call, enum races_collective kind, int root);
void races_dest(const struct races_call *call, const void *dest, struct races_shape shape);
/* Others may write into the caller's dest as soon as they are in the call themselves: the root, or all
 * where root is negative. */
void races_dest_early(const struct races_call *call, const void *dest, struct races_shape shape,
                      int root);
/* The counts of all members. */
size_t races_collected(const struct races_call *call);
/* By a call of its parent. */
void races_team_made(const struct races_call *call, shmem_team_t team);
void races_team_gone(shmem_team_t team);

/* The heap. */
void races_memory_made(const struct races_call *call, const void *block, size_t bytes);
/* Once all PEs have come to its end: until they meet again nobody has the memory. */
void races_memory_gone(const struct races_call *call, const void *block);
/* All PEs have come, and none has the new block. */
void races_memory_moving(const struct races_call *call, const void *old);
void races_memory_moved(const struct races_call *call, const void *old, const void *block, size_t bytes);

/* Memory spaces: the team is the space's. Of a block: that of the space that has it, or all PEs. */
void races_space_made(const struct races_call *call, shmemx_space_t space, size_t bytes);
void races_space_find(struct races_call *call, shmemx_space_t space);
void races_block_find(struct races_call *call, const void *block);
void races_space_gone(shmemx_space_t space);

/* The begin and the end. */
void races_begin(void);
void races_before_finalize(struct races_call *call);
void races_after_finalize(const struct races_call *call);

/* The place of a call for reports: the program's, where a library over this one calls for a statement. */
uintptr_t races_place(uintptr_t caller);

#define RACES_CALLER ((uintptr_t)__builtin_extract_return_addr(__builtin_return_address(0)))

#pragma GCC visibility pop

#endif
