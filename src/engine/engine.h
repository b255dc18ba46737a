/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A network, by which PEs of other nodes are reached. One engine is chosen at start; its table has every
 * entry set. PEs are numbers in the world. A remote object is named by its address in this PE: the engine
 * knows where its peers' copies lie. An operation that cannot be carried out ends the job through the
 * `failed` of struct sheaf_engine_job, so nothing here returns an error after start.
 *
 * No engine waits: its operations start, and the layer above waits for their end (core/access/far.h).
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

/* The type of the numbers that an accumulate adds, and the factor by which they are multiplied first. */
enum sheaf_number {
    SHEAF_INT,
    SHEAF_LONG,
    SHEAF_FLOAT,
    SHEAF_DOUBLE,
    SHEAF_COMPLEXF,
    SHEAF_COMPLEXD,
    SHEAF_MEETS_ATOMICS, /* adds nothing: the target's accumulates of floating-point numbers are atomic with
                            respect to atomic set and swap from then on. Its one number is a float's */
    SHEAF_NUMBERS
};
struct sheaf_scale {
    enum sheaf_number number;
    _Alignas(16) unsigned char alpha[16]; /* a number of that type, in its first bytes */
};

/* Counts of messages of one kind since counting began; bytes are those after the headers. */
struct sheaf_engine_messages {
    char kind[16];
    uint64_t sent, sent_bytes;
    uint64_t arrived, arrived_bytes;
};
#define SHEAF_ENGINE_MOST_KINDS 64

/* The engine's needs from the layers above; valid until stop. */
struct sheaf_engine_job {
    int pe;
    int npes;
    uint64_t key[2];    /* random, the same on all PEs of the job, and known to them alone */
    struct sheaf_segment segments[SHEAF_SEGMENTS]; /* of this PE's symmetric memory */
    struct sheaf_segment team; /* at the same distance from the heap on every PE; not registered with the
                                  network */
    bool multiple;      /* SHMEM_THREAD_MULTIPLE: calls may come from several threads at once */
    int progress;       /* enum sheaf_progress */
    int rma;            /* enum sheaf_rma */
    int atomics;        /* enum sheaf_atomics: whether the network's own atomic operations are wanted */
    sheaf_amo_set native_atomics; /* the atomic operations that the network must have; 0: those it has */
    unsigned networks;  /* bit SHEAF_ENGINE_*: those of the engine over several networks */
    int aggregate;      /* enum sheaf_aggregate: whether small operations wait for operations under way,
                           see batch() below */

    /* The result of PE pe's address(), malloc'ed: the caller frees it. Called on first use of a peer, from
     * any thread, without any engine lock that progress() takes. Returns 0 or -1. */
    int (*peer_address)(int pe, void **address, size_t *length);

    /* Whether all of the range is constants of the program. They lie at the same distance from the
     * variables on every PE, so peers may read them, by messages. From any thread. NULL: there are none. */
    bool (*is_constant)(uintptr_t address, uint64_t bytes);

    /* Memory spaces, which may be created and destroyed at any time. is_in_space: whether all of the range
     * lies in one of this PE's. space_address: address of PE pe's copy of local in its address space;
     * local itself where it has none. space_index: of the space that local lies in. From any thread; they
     * do not wait. NULL: there are none. */
    bool (*is_in_space)(uintptr_t address, uint64_t bytes);
    uint64_t (*space_address)(int pe, const void *local);
    unsigned (*space_index)(const void *local);

    /* With SHEAF_CHECK=args, else NULL: ends the program if a peer accesses a range of symmetric memory
     * that is not within one block or variable. From any thread. */
    void (*check_arrival)(uintptr_t address, uint64_t bytes);

    /* Carries out a peer's accumulate in this PE's memory: dest += alpha * source, bytes in all, source of
     * any alignment. From any thread; does not wait. */
    void (*accumulate)(void *dest, const void *source, size_t bytes,
                       const struct sheaf_scale *scale);

    /* A message of PE pe has met a receive with another stamp: prints and ends the job. NULL: stamps are
     * not compared. From any thread. */
    void (*differs)(int pe) __attribute__((noreturn));

    /* Whether PE pe has died, where that does not end the job; NULL: a death ends it. A failed connection
     * then ends the job only if no death of its PE is reported in time. */
    bool (*is_dead)(int pe);

    /* Where is_dead is set. incarnation: the number of processes that this PE had before this one.
     * incarnation_state: 2 x respawns of PE pe, + 1 while its last process is dead. From any thread. */
    unsigned incarnation;
    uint32_t (*incarnation_state)(int pe);

    /* PE pe cannot be reached any more, or an operation on it failed: prints and ends the job. */
    void (*failed)(int pe, const char *why) __attribute__((noreturn));

    /* The same for a PE whose host has fallen silent, so that no report of it is to be waited for. */
    void (*host_failed)(int pe, const char *why) __attribute__((noreturn));
};

/* An atomic operation. Operand and result are 4 or 8 bytes. The target's processor carries it out,
 * coherently with the atomic operations of the target's node. Or the network does, for objects that all
 * PEs, the caller's node included, access by the network alone. */
struct sheaf_amo_call {
    enum sheaf_amo operation;
    unsigned bytes;   /* 4 or 8 */
    void *object;     /* symmetric, aligned to bytes */
    uint64_t operand; /* in its low bytes */
    uint64_t compare;
    bool by_network;  /* the network carries it out: sheaf_amo_way() is SHEAF_AMO_NATIVE */
};

/* count blocks of block_bytes each; strides in bytes from block start to block start. */
struct sheaf_blocks {
    ptrdiff_t dest_stride;
    ptrdiff_t source_stride;
    size_t block_bytes;
    size_t count;
};

/* Blocks in a row, from the address of the first at either end. The remote ones all lie among the
 * variables, or all in the heap. */
struct sheaf_row {
    void *dest;
    const void *source;
    struct sheaf_blocks blocks;
};

/* The rows of a call that are not started yet. An operation removes rows, or the first part of one, as it
 * starts them. */
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

/* In bytes. A shorter message of a collective may be sent before its receiver asks for it; it then takes
 * memory there. */
#define SHEAF_MESSAGE_ASKS 524288

/* For quiet: of all PEs. */
#define SHEAF_EVERY_PE (-1)

/* A stream of operations: NULL is the default context's. Owned by the engine. */
typedef struct sheaf_engine_context sheaf_engine_context;

struct sheaf_engine {
    const char *name;

    /* Loads its library and prepares for peers. Returns 0, or prints one line that names setting, value
     * and remedy, and returns -1. Not collective. */
    int (*start)(const struct sheaf_engine_job *job);

    /* After start: the address by which peers reach this PE. Its size does not depend on the number of
     * PEs. */
    void (*address)(const void **address, size_t *length);

    /* Called after a barrier of all PEs that follows the last operation. */
    void (*stop)(void);

    /* Peers may access bytes from to to - 1 of the heap after the caller's next barrier. Returns 0, or
     * prints the reason (a limit on locked memory, say) and returns -1. */
    int (*heap_grown)(size_t from, size_t to);

    /* Whether heap_grown() with these bytes is collective: a barrier must then come before it. The same on
     * all PEs. */
    bool (*grows_together)(size_t from, size_t to);

    /* offer_space: the network carries out its own atomic operations on this PE's copy of a memory space;
     * peers may start them after the caller's next barrier. Returns 0, or prints the reason and returns -1.
     * withdraw_space: after the last of them, and after a failed offer too. index: below
     * SHEAF_MOST_SPACES, the same on all members. */
    int (*offer_space)(unsigned index, void *start, size_t bytes);
    void (*withdraw_space)(unsigned index);

    /* is_shared: several threads use the context at once, as they do the default context of a
     * multithreaded job. Returns NULL when the default context's resources must serve. */
    sheaf_engine_context *(*context_create)(bool is_shared);
    void (*context_destroy)(sheaf_engine_context *context); /* after a quiet of the context */

    /* From now on small operations of the context may wait until several travel together. Order and
     * completion do not change: any call that orders, completes or waits sends them first. Others are sent
     * within about a millisecond; without a progress thread, by the next call that waits. operations: the
     * number expected, SIZE_MAX where it is not known; another call changes it. 0: ends this, and sends
     * what is aggregated without completing it.
     *
     * Under SHEAF_AGGREGATE small operations wait without this call, while others of the context to the
     * same PE are under way, until one of those has ended. */
    void (*batch)(sheaf_engine_context *context, size_t operations);

    /* The operations. Each returns whether all of it has started. If not, other operations must end first:
     * too many are under way, a fence lies between, or the peer was asked for a key. The caller then
     * repeats the call, with the same arguments, after some work(). An operation counts *remaining up when
     * a part starts, and down when that part ends. Only the caller's own operations of one context count
     * in it; a waiting caller reads it with acquire order. With remaining NULL the operation ends with
     * quiet. */

    /* Ends once source may be reused. dest is symmetric. */
    bool (*put)(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes,
                size_t *remaining);

    /* Ends once dest is complete. source is symmetric. */
    bool (*get)(sheaf_engine_context *context, int pe, void *dest, const void *source, size_t bytes,
                size_t *remaining);

    /* Rows of blocks in as few messages as hold them; with scale they are added. Ends once the sources may
     * be reused and, with until_stored, the target has the data. */
    bool (*put_rows)(sheaf_engine_context *context, int pe, struct sheaf_rows *rows,
                     const struct sheaf_scale *scale, bool until_stored, size_t *remaining);
    bool (*get_rows)(sheaf_engine_context *context, int pe, struct sheaf_rows *rows, size_t *remaining);

    /* As put. bytes may be 0: the signal is sent anyway. */
    bool (*put_signal)(sheaf_engine_context *context, int pe, void *dest, const void *source,
                       size_t bytes, const struct sheaf_signal_call *signal, size_t *remaining);

    /* *result gets the call->bytes bytes that the object held before; the operation ends then. With result
     * NULL it ends as a put does, and the object is changed after quiet. */
    bool (*amo)(sheaf_engine_context *context, int pe, const struct sheaf_amo_call *call, void *result,
                size_t *remaining);

    /* The atomic operations that the network carries out by itself. Also before start, for oshinfo. 0:
     * none, and why has the reason in words. */
    sheaf_amo_set (*native_atomics)(char *why, size_t size);

    /* Puts, atomic operations and signals before the fence reach each PE before those after it. */
    void (*fence)(sheaf_engine_context *context);

    /* Ends once all of the context's operations started so far are complete at the targets; pe: those on
     * one PE. */
    void (*quiet)(sheaf_engine_context *context, int pe, size_t *remaining);

    /* A PE to which operations of the context are under way, for messages; -1: none, or not known. */
    int (*busy_with)(sheaf_engine_context *context);

    /* Messages of collectives, matched by sender and tag, in order between two PEs with one tag. The
     * memory must not be used until they end. peer is the receiver, or the sender. stamp: for differs(). */
    void (*send)(int peer, uint64_t tag, uint32_t stamp, const void *source, size_t bytes,
                 size_t *remaining);
    void (*receive)(int peer, uint64_t tag, uint32_t stamp, void *dest, size_t bytes, size_t *remaining);

    /* Number of peers' writes that have changed this PE's memory: messages, and the entries of batches. */
    uint64_t (*carried_out)(void);

    /* Where is_dead is set.
     * forget_dead: a PE has died; operations on it count as ended from now on.
     * renew: connects again to PEs whose new process has published its address.
     *
     * take_failed: whether an operation of the context has ended because of a death since the last call.
     * Operations on PEs known to be dead at that call do not count.
     *
     * abandon: no receive under these tags, which equal tag outside the bits of mask, is written or
     * counted any more, and no source sent under them is read. */
    void (*forget_dead)(void);
    void (*renew)(void);
    bool (*take_failed)(sheaf_engine_context *context);
    void (*abandon)(uint64_t tag, uint64_t mask);

    /* Fills in the names of the kinds of messages in rows, which has SHEAF_ENGINE_MOST_KINDS of them, and
     * counts there as long as the process lives. Returns the number of kinds; rows may be NULL. */
    unsigned (*count_messages)(struct sheaf_engine_messages *rows);

    /* One turn of work for a waiting caller. work: for the end of operations of the context; progress: for
     * peers' operations. Waiting calls use them, so a PE that waits answers fast. Return whether anything
     * happened. may_reply: the program may be waiting for what has just arrived, so its reply goes out
     * before the acknowledgement. */
    bool (*work)(sheaf_engine_context *context);
    bool (*progress)(bool may_reply);

    /* Whether data is under way that only turns move and no event announces: waiting callers then do not
     * sleep. */
    bool (*needs_turns)(void);

    /* Sleeps until something arrives after the caller's last turn, at most timeout_ns; may return earlier.
     * is_work: the caller waits for what work() brings, else for what progress() does. Returns whether
     * anything has come. */
    bool (*sleep)(sheaf_engine_context *context, bool is_work, uint64_t timeout_ns);

    /* The title of the network that reaches PE pe; NULL: none does. *is_direct: whether the network carries
     * out puts and gets of object there by itself, else by messages. */
    const char *(*reach)(int pe, const void *object, bool *is_direct);

    /* This PE's devices that may carry messages to PE pe, which reach() was asked of; or those of the
     * network's own atomic operations. Empty: unknown. */
    const char *(*devices)(int pe, bool is_atomic);

    /* The start addresses of PE pe's segments in its address space. 0, or -1. */
    int (*segments)(int pe, uint64_t starts[SHEAF_SEGMENTS]);

    /* Whether the library that the engine needs is on this machine. Works before start. */
    bool (*is_installed)(void);

    /* Whether the engine drives a fabric of this machine that other engines drive worse or not at all.
     * Works before start. */
    bool (*drives_fabric)(void);

    /* Prints version, transports and limits as lines for oshinfo. Works before start. Prints the reason if
     * the engine cannot be used, and returns whether it can. */
    bool (*describe)(FILE *out);
};

extern const struct sheaf_engine sheaf_engine_ucx;
extern const struct sheaf_engine sheaf_engine_ofi;
extern const struct sheaf_engine sheaf_engine_mpi;
extern const struct sheaf_engine sheaf_engine_several; /* each peer by one of the job's networks */
extern const struct sheaf_engine sheaf_engine_none; /* every operation ends the job: no network */

/* The engine of SHEAF_ENGINE's value, bit SHEAF_ENGINE_*. NULL: auto. */
static inline const struct sheaf_engine *sheaf_engine_named(unsigned networks)
{
    const struct sheaf_engine *const all[SHEAF_ENGINES] = {
        [SHEAF_ENGINE_UCX] = &sheaf_engine_ucx, [SHEAF_ENGINE_OFI] = &sheaf_engine_ofi,
        [SHEAF_ENGINE_MPI] = &sheaf_engine_mpi, [SHEAF_ENGINE_OFF] = &sheaf_engine_none};
    if (networks & (networks - 1)) /* more than one */
        return &sheaf_engine_several;
    return networks ? all[__builtin_ctz(networks)] : NULL;
}

/* The engine of SHEAF_ENGINE=auto on this machine. NULL: no network's library is installed. Hosts that
 * choose differently find out when they first connect. */
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
