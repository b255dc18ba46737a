/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A network: how PEs of other nodes are reached. One engine is chosen at start; its table has
 * every entry set. PEs are world numbers. Remote objects are given by their address here: the
 * engine knows where its peers' copies lie. An operation that cannot be carried out ends the job
 * through the `failed` of struct sheaf_engine_job, so nothing here returns an error after start.
 *
 * No engine waits: its operations start, and the layer above waits (core/access/far.h).
 */
#ifndef SHEAF_ENGINE_ENGINE_H
#define SHEAF_ENGINE_ENGINE_H

#include "base/settings/amo.h"
#include "base/settings/names.h"
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

/* Messages of one kind since somebody began to count them; bytes are those behind the headers. */
struct sheaf_engine_messages {
    char kind[16];
    uint64_t sent, sent_bytes;
    uint64_t arrived, arrived_bytes;
};
#define SHEAF_ENGINE_MOST_KINDS 64

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
    int gather;         /* enum sheaf_gather: whether small operations wait for those under way, as
                           below */

    /* What PE pe's address() returned, malloc'ed: the caller frees it. May be called on first use of a
     * peer, from any thread, with no engine lock that progress() takes held. Returns 0 or -1. */
    int (*peer_address)(int pe, void **address, size_t *length);

    /* Whether all of the range is constants, which lie as far from the variables on every PE: peers may
     * read them, by messages. From any thread. NULL: there are none. */
    bool (*is_constant)(uintptr_t address, uint64_t bytes);

    /* Memory spaces, which come and go: whether all of the range lies in one of this PE; and where PE pe's
     * copy of what lies at local lies in its address space, local itself where it has none. From any
     * thread; do not wait. NULL: there are none. */
    bool (*is_in_space)(uintptr_t address, uint64_t bytes);
    uint64_t (*space_address)(int pe, const void *local);

    /* With SHEAF_CHECK=args, else NULL: ends the program where what a peer reads or writes here, a
     * range of symmetric memory, is not within one block or variable. From any thread. */
    void (*check_arrival)(uintptr_t address, uint64_t bytes);

    /* What an accumulate of a peer does to this PE's memory: dest += alpha * source, bytes in all,
     * source of any alignment. From any thread; does not wait. */
    void (*accumulate)(void *dest, const void *source, size_t bytes,
                       const struct sheaf_scale *scale);

    /* A message of PE pe has met a receive with another stamp: prints and ends the job. NULL: stamps are
     * not compared. From any thread. */
    void (*differs)(int pe) __attribute__((noreturn));

    /* Whether PE pe has died, where that does not end the job; NULL: it does. Then failed connections
     * are not the end of the job as long as their PEs' deaths may still be told. */
    bool (*is_dead)(int pe);

    /* Where is_dead is set: which process of its PE this is, from 0; and 2 for each process that has taken
     * PE pe's place after another, 1 more once it is dead as well. From any thread. */
    unsigned incarnation;
    uint32_t (*incarnation_state)(int pe);

    /* PE pe cannot be reached any more, or an operation on it failed: prints and ends the job. */
    void (*failed)(int pe, const char *why) __attribute__((noreturn));

    /* The same, of a host that has fallen silent: it has no news to wait for. */
    void (*host_failed)(int pe, const char *why) __attribute__((noreturn));
};

/* Operand and result are 4 or 8 bytes. The target's processor does it, so that it is coherent with what
 * the PEs of the target's node do; or the network by itself, for objects that are accessed in no other
 * way, of any PE, the caller and those of its node too. */
struct sheaf_amo_call {
    enum sheaf_amo operation;
    unsigned bytes;   /* 4 or 8 */
    void *object;     /* symmetric, aligned to bytes */
    uint64_t operand; /* in its low bytes */
    uint64_t compare;
    bool by_network;  /* which has the operation: sheaf_amo_way() is SHEAF_AMO_NATIVE */
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

/* The rows of a call that are still to be started: an operation takes them away from the front as it
 * starts them, part of one too. */
struct sheaf_rows {
    struct sheaf_row *row;
    size_t count;
};

/* The signal of a put with signal: the update becomes visible after the data. */
struct sheaf_signal_call {
    uint64_t *object;
    uint64_t value;
    bool add; /* else set */
};

/* In bytes: a message of a collective that is shorter may be sent before its receiver asks for it, and
 * then takes memory there. */
#define SHEAF_MESSAGE_ASKS 524288

/* For quiet: of all PEs. */
#define SHEAF_EVERY_PE (-1)

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

    /* Whether that call, with these bytes, takes all PEs at one time: then a barrier comes before it. The
     * same on all PEs. */
    bool (*grows_together)(size_t from, size_t to);

    /* is_shared: several threads use it at once, as they do the default context where the job is multiple.
     * Returns NULL when the default context's resources must serve. */
    sheaf_engine_context *(*context_create)(bool is_shared);
    void (*context_destroy)(sheaf_engine_context *context); /* after a quiet of it */

    /* From now on small operations of the context may wait until several travel together. Order
     * and completion stay: what orders, completes or waits sends them first, and what nobody waits for
     * is sent within about a millisecond (without a progress thread: by the next call that waits).
     * operations: how many are expected, SIZE_MAX where nobody knows; called again it changes that. 0: no
     * more of this; what there is is sent, and nothing completed.
     * A job that gathers has them wait without being asked while some of the context's are under way
     * to the same PE, at most until one of these has ended. */
    void (*batch)(sheaf_engine_context *context, size_t operations);

    /* The operations. Each returns whether all of it has started: else something under way has to end
     * first (too much is, or a fence lies between, or the peer was asked for what is needed), and the
     * caller calls again, with the same arguments, after some work(). *left is counted up by what
     * starts, at once, and down where that ends. Only the caller's own operations of one context count
     * in it; whoever waits reads it with acquire order. With left NULL the end is that of quiet. */

    /* Ends once source may be reused. dest is symmetric. */
    bool (*put)(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes,
                size_t *left);

    /* Ends once dest is complete. source is symmetric. */
    bool (*get)(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes,
                size_t *left);

    /* Rows of blocks in as few messages as hold them; with scale they are added. Ends once the sources may
     * be reused, and, where until_stored, the target has the data. */
    bool (*put_rows)(sheaf_engine_context *context, int pe, struct sheaf_rows *rows,
                     const struct sheaf_scale *scale, bool until_stored, size_t *left);
    bool (*get_rows)(sheaf_engine_context *context, int pe, struct sheaf_rows *rows, size_t *left);

    /* As put. bytes may be 0: the signal is sent all the same. */
    bool (*put_signal)(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       size_t bytes, const struct sheaf_signal_call *signal, size_t *left);

    /* *result gets call->bytes bytes: what the object held before; ends then. With result NULL as put: the
     * object is changed after quiet. */
    bool (*amo)(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result,
                size_t *left);

    /* The atomic operations that the network does by itself; before start too, for oshinfo. 0: none,
     * and why, in words. */
    sheaf_amo_set (*native_atomics)(char *why, size_t size);

    /* Puts, atomic operations and signals before it reach each PE before those after it. */
    void (*fence)(sheaf_engine_context *context);

    /* Ends once all of the context's operations that have started by now are complete, at the targets too;
     * or those on one PE. */
    void (*quiet)(sheaf_engine_context *context, int pe, size_t *left);

    /* A PE that operations of the context are under way to, for messages; -1: none, or nobody knows. */
    int (*busy_with)(sheaf_engine_context *context);

    /* Messages of collectives, matched by sender and tag, in order between two PEs with one tag. The
     * memory stays untouched until they end. peer is the receiver, or the sender. stamp: for differs(). */
    void (*send)(int peer, uint64_t tag, uint32_t stamp, const void *source, size_t bytes, size_t *left);
    void (*receive)(int peer, uint64_t tag, uint32_t stamp, void *dest, size_t bytes, size_t *left);

    /* Writes of peers that have changed this PE's memory, by now: messages, and what gathered in one. */
    uint64_t (*carried_out)(void);

    /* Where is_dead is set.
     * forget_dead: a PE has died, and operations on it count as ended from now on.
     * renew: PEs whose place another process has taken, which has said its address, are reached anew.
     * take_failed: whether an operation of the context has ended so since the last call; operations on PEs
     * that were known to be dead at that call do not count.
     * abandon: no receive under these tags, whose bits outside mask equal those of tag, is written or
     * counted any more, and nothing that was sent under them is read. */
    void (*forget_dead)(void);
    void (*renew)(void);
    bool (*take_failed)(sheaf_engine_context *context);
    void (*abandon)(uint64_t tag, uint64_t mask);

    /* Names the kinds of messages in rows, SHEAF_ENGINE_MOST_KINDS of them, and counts there from now on,
     * as long as the process lives. Returns how many kinds there are; rows may be NULL. */
    unsigned (*count_messages)(struct sheaf_engine_messages *rows);

    /* One turn of work, for whoever waits: work for the end of operations of the context; progress for
     * what peers do. Waiting calls use them, so that a PE that waits answers fast. Return whether
     * anything happened. may_reply: what has arrived may be what the program waits for, and its answer
     * goes before what is only told of completion. */
    bool (*work)(sheaf_engine_context *context);
    bool (*progress)(bool may_reply);

    /* Whether turns have something to move that no event tells of: whoever waits takes them, and does not
     * sleep. */
    bool (*needs_turns)(void);

    /* Sleeps until something arrives that came after the caller's last turn, at most timeout_ns; may
     * return before. is_work: what is waited for is what work() brings, else what progress() does.
     * Returns whether something has come. */
    bool (*sleep)(sheaf_engine_context *context, bool is_work, uint64_t timeout_ns);

    /* Where PE pe's segments begin in its address space. 0, or -1. */
    int (*segments)(int pe, uint64_t starts[SHEAF_SEGMENTS]);

    /* Whether the library that it needs is on this machine. Works before start. */
    bool (*is_installed)(void);

    /* Whether it drives a fabric of this machine that others do worse or not at all. Works before
     * start. */
    bool (*drives_fabric)(void);

    /* Version, transports, limits: lines for oshinfo. Works before start, prints why the engine
     * cannot be had, and returns whether it can. */
    bool (*describe)(FILE *out);
};

extern const struct sheaf_engine sheaf_engine_ucx;
extern const struct sheaf_engine sheaf_engine_ofi;
extern const struct sheaf_engine sheaf_engine_mpi;
extern const struct sheaf_engine sheaf_engine_none; /* every operation ends the job: no network */

/* SHEAF_ENGINE=auto on this machine. NULL: no network's library is installed. Hosts that choose
 * differently find out at their first contact. */
static inline const struct sheaf_engine *sheaf_engine_best(void)
{
    const struct sheaf_engine *in_turn[] = {&sheaf_engine_ucx, &sheaf_engine_ofi, &sheaf_engine_mpi};
    for (size_t i = 0; i < sizeof in_turn / sizeof *in_turn; i++)
        if (in_turn[i]->drives_fabric())
            return in_turn[i];
    for (size_t i = 0; i < sizeof in_turn / sizeof *in_turn; i++)
        if (in_turn[i]->is_installed())
            return in_turn[i];
    return NULL;
}

#endif
