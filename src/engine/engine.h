/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A network: how PEs of other nodes are reached. One engine is chosen at start; its table has
 * every entry set. PEs are world numbers. Remote objects are given by their address here: the
 * engine knows where its peers' copies lie. An operation that cannot be carried out ends the job
 * through the `failed` of struct sheaf_engine_job, so nothing here returns an error after start.
 */
#ifndef SHEAF_ENGINE_ENGINE_H
#define SHEAF_ENGINE_ENGINE_H

#include "base/amo.h"
#include "base/names.h"
#include "base/segment.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The numbers that an accumulate adds, and the factor before they are added. */
enum sheaf_number {
    SHEAF_INT,
    SHEAF_LONG,
    SHEAF_FLOAT,
    SHEAF_DOUBLE,
    SHEAF_COMPLEXF,
    SHEAF_COMPLEXD,
    SHEAF_NUMBERS
};
struct sheaf_scale {
    enum sheaf_number number;
    _Alignas(16) unsigned char alpha[16]; /* a number of that type, in its first bytes */
};

/* What the engine needs from the layers above; valid until stop. */
struct sheaf_engine_job {
    int pe;
    int npes;
    uint64_t key[2];    /* random, the same on all PEs: known to nobody else */
    struct sheaf_segment segments[SHEAF_SEGMENTS]; /* of this PE's symmetric memory */
    bool multiple;      /* SHMEM_THREAD_MULTIPLE: calls may come from several threads at once */
    int progress;       /* enum sheaf_progress */
    int rma;            /* enum sheaf_rma */
    int atomics;        /* enum sheaf_atomics: whether the network's own are wanted */
    sheaf_amo_set native_atomics; /* the network is to have these and no others; 0: what it has */

    /* What PE pe's address() returned, malloc'ed: the caller frees it. May be called on first use of a peer,
     * from any thread, with no engine lock that progress() takes held. Returns 0 or -1. */
    int (*peer_address)(int pe, void **address, size_t *length);

    /* What an accumulate of a peer does to this PE's memory: dest += alpha * source, bytes in all,
     * source of any alignment. From any thread; does not wait. */
    void (*accumulate)(void *dest, const void *source, size_t bytes,
                       const struct sheaf_scale *scale);

    /* PE pe cannot be reached any more, or an operation on it failed: prints and ends the job. */
    void (*failed)(int pe, const char *why) __attribute__((noreturn));

    /* The same, of a host that has fallen silent: it has no news to wait for. */
    void (*host_failed)(int pe, const char *why) __attribute__((noreturn));
};

/* Operand and result are 4 or 8 bytes. But for the device_ operations the target's processor does
 * it, so that it is coherent with what the PEs of the target's node do. */
struct sheaf_amo_call {
    enum sheaf_amo operation;
    unsigned bytes;   /* 4 or 8 */
    void *object;     /* symmetric, aligned to bytes */
    uint64_t operand; /* in its low bytes */
    uint64_t compare;
};

/* count blocks of block_bytes each; strides in bytes from block start to block start. */
struct sheaf_blocks {
    ptrdiff_t dest_stride;
    ptrdiff_t source_stride;
    size_t block_bytes;
    size_t count;
};

/* Blocks in a row, from where the first lies at either end. The remote ones are all among the
 * variables or all in the heap. */
struct sheaf_row {
    void *dest;
    const void *source;
    struct sheaf_blocks blocks;
};

/* The signal of a put with signal: the update becomes visible after the data. */
struct sheaf_signal_call {
    uint64_t *object;
    uint64_t value;
    bool add; /* else set */
};

/* A message under way between two members of a collective; the caller's memory. One of fewer bytes than
 * SHEAF_MESSAGE_ASKS may be sent before its receiver asks for it, and then takes memory there. */
#define SHEAF_MESSAGE_ASKS 524288
struct sheaf_message {
    size_t left; /* parts of it under way; 0 once complete. The engine's */
};

/* A stream of operations: NULL is the default context's. Owned by the engine. */
typedef struct sheaf_engine_context sheaf_engine_context;

struct sheaf_engine {
    const char *name;

    /* Loads what it needs and gets ready for peers. Returns 0, or prints one line that names
     * setting, value and what to do, and returns -1. Not collective. */
    int (*start)(const struct sheaf_engine_job *job);

    /* After start: what peers need to reach this PE; constant in size in the number of PEs. */
    void (*address)(const void **address, size_t *length);

    /* After a barrier of all PEs that follows the last operation. */
    void (*stop)(void);

    /* Bytes from to to - 1 of the heap may be accessed by peers after the caller's next barrier.
     * Returns 0, or prints why not (memory that may be locked, say) and returns -1. */
    int (*heap_grown)(size_t from, size_t to);

    /* options: SHMEM_CTX_*. Returns NULL when the default context's resources must serve. */
    sheaf_engine_context *(*context_create)(long options);
    void (*context_destroy)(sheaf_engine_context *context); /* after a quiet of it */

    /* From begin to end small operations of the context may wait until several travel together. Order
     * and completion stay: what orders, completes or waits sends them first, and what nobody waits for
     * is sent within about a millisecond (without a progress thread: by the next call that waits).
     * operations: how many are expected, SIZE_MAX where nobody knows; begin again changes it.
     * is_shared: several threads use the context at once; always the same for a context. end sends what
     * there is, and completes nothing. */
    void (*batch_begin)(sheaf_engine_context *context, bool is_shared, size_t operations);
    void (*batch_end)(sheaf_engine_context *context);

    /* source may be reused on return; nbi: after quiet. dest is symmetric. */
    void (*put)(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes);
    void (*put_nbi)(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes);

    /* dest is complete on return; nbi: after quiet. source is symmetric. */
    void (*get)(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes);
    void (*get_nbi)(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes);

    /* As put and get, in blocks. */
    void (*put_blocks)(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       const struct sheaf_blocks *blocks);
    void (*get_blocks)(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       const struct sheaf_blocks *blocks);

    /* Rows of blocks in as few messages as hold them; with scale they are added. source may be
     * reused on return, or, nbi, after quiet. left may be NULL; with nbi it is counted up now, and
     * is back where it was once source may be reused and the target has the data. */
    void (*put_rows)(sheaf_engine_context *context, int pe, const struct sheaf_row *rows,
                     size_t count, const struct sheaf_scale *scale, bool nbi, size_t *left);

    /* dest is complete after quiet, and once left is back where it was. */
    void (*get_rows)(sheaf_engine_context *context, int pe, const struct sheaf_row *rows,
                     size_t count, size_t *left);

    /* What left counts: a turn of the context's work, and turns until it is 0. Others read it with
     * acquire order. */
    void (*work)(sheaf_engine_context *context);
    void (*wait)(sheaf_engine_context *context, const size_t *left);

    /* source may be reused on return unless nbi. bytes may be 0: the signal is sent all the same. */
    void (*put_signal)(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       size_t bytes, const struct sheaf_signal_call *signal, bool nbi);

    /* Without a result: complete at the target after quiet. */
    void (*amo)(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call);

    /* *result gets call->bytes bytes: what the object held before; nbi: after quiet. */
    void (*amo_fetch)(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result);
    void (*amo_fetch_nbi)(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result);

    /* The atomic operations that the network does by itself; before start too, for oshinfo. 0: none,
     * and why, in words. */
    sheaf_amo_set (*native_atomics)(char *why, size_t size);

    /* As amo, amo_fetch and amo_fetch_nbi, by the network's own operations, or built from them: on
     * objects that are accessed in no other way, of any PE, the caller and those of its node too. The
     * network has a way for the operation, sheaf_amo_way(). */
    void (*device_amo)(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call);
    void (*device_fetch)(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result);
    void (*device_fetch_nbi)(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result);

    /* fence: puts, atomic operations and signals before it reach each PE before those after it.
     * quiet: all of the context's operations are complete, at the targets too. */
    void (*fence)(sheaf_engine_context *context);
    void (*quiet)(sheaf_engine_context *context);
    void (*quiet_pe)(sheaf_engine_context *context, int pe);

    /* Messages of peers that have changed this PE's memory, by now. */
    uint64_t (*carried_out)(void);

    /* Messages of collectives, matched by sender and tag, in order between two PEs with one tag. The
     * memory stays untouched until complete. peer is the receiver, or the sender. */
    void (*send)(int peer, uint64_t tag, const void *source, size_t bytes, struct sheaf_message *message);
    void (*receive)(int peer, uint64_t tag, void *dest, size_t bytes, struct sheaf_message *message);

    /* Whether it is complete; makes no progress by itself. */
    bool (*is_complete)(struct sheaf_message *message);

    /* One turn of work; never blocks. Waiting calls use it, so that a PE that waits answers fast.
     * may_reply: what has arrived may be what the program waits for, and its answer goes before what
     * is only told of completion. Returns whether anything happened. */
    bool (*progress)(bool may_reply);

    /* Sleeps until something arrives, at most timeout_ns; may return before. Returns whether something
     * has. */
    bool (*sleep)(uint64_t timeout_ns);

    /* Version, transports, limits: lines for oshinfo. Works before start, prints why the engine
     * cannot be had, and returns whether it can. */
    bool (*describe)(FILE *out);
};

extern const struct sheaf_engine sheaf_engine_ucx;
extern const struct sheaf_engine sheaf_engine_none; /* every operation ends the job: no network */

#endif
