/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fast path: the address of a near PE's copy of a symmetric object. On a node this is arithmetic:
 * remote = local + offset of the PE, for static data and heap alike. One comparison answers three
 * questions: is the PE number in range, is the PE near, is the library up? The count is 0 before init,
 * where arguments are checked, where the node's PEs are not consecutive, and until the windows of all of
 * them are mapped. Then every call goes to checked.h, which checks and serves near PEs too.
 */
#ifndef SHEAF_CORE_ACCESS_ROUTE_H
#define SHEAF_CORE_ACCESS_ROUTE_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The offsets are base + slot * stride, but a load takes fewer steps than a multiplication: shmem_p had
 * 9 instructions with the table and 12 without. The table is this process's own memory. */
struct sheaf_route {
    const uintptr_t *offsets; /* of the PEs from first on: added to a local address; my own is 0 */
    unsigned first;           /* lowest PE of this node */
    unsigned count;           /* PEs of this node from first on; 0 sends every call the slow way */
    unsigned atomics;         /* the same for atomic operations: 0 where the network performs some */
    unsigned reads;           /* the same for reads: 0 where they are counted (poll.h) */
    unsigned fetches;         /* the same for atomic operations that may only read: 0 in both cases */
    unsigned floats;          /* the same for atomic set and swap of floating-point numbers: 0 also until
                                 accumulates are told of them (transfer.h) */
    unsigned comparisons;     /* a wait with a SHMEM_CMP_* below this needs no check of its call: 0 before
                                 init, after finalize and where arguments are checked */
    unsigned tests;           /* the same for tests: 0 also where they are counted */
};

/* Written at init and finalize. The counts also rise from 0 once all windows are mapped, while other
 * threads may be in calls. A plain load of a count takes an instruction less than an atomic one. */
extern SHEAF_HIDDEN struct sheaf_route sheaf_route;
#if defined(__SANITIZE_THREAD__)
#define SHEAF_ROUTE_SERVES(pe, field)                                                              \
    ((unsigned)(pe) - sheaf_route.first < sheaf_load_relaxed(&sheaf_route.field))
#else
#define SHEAF_ROUTE_SERVES(pe, field) ((unsigned)(pe) - sheaf_route.first < sheaf_route.field)
#endif

/* Whether the fast path serves pe, a number in the world. */
static inline bool sheaf_route_is_near(int pe)
{
    return sheaf_likely(SHEAF_ROUTE_SERVES(pe, count));
}

static inline bool sheaf_route_is_near_for_atomics(int pe)
{
    return sheaf_likely(SHEAF_ROUTE_SERVES(pe, atomics));
}

static inline bool sheaf_route_is_near_for_reads(int pe)
{
    return sheaf_likely(SHEAF_ROUTE_SERVES(pe, reads));
}

static inline bool sheaf_route_is_near_for_fetches(int pe)
{
    return sheaf_likely(SHEAF_ROUTE_SERVES(pe, fetches));
}

static inline bool sheaf_route_is_near_for_floats(int pe)
{
    return sheaf_likely(SHEAF_ROUTE_SERVES(pe, floats));
}

/* From now on the fast path serves atomic set and swap of floating-point numbers. */
void sheaf_route_open_floats(void);

/* Sets whether the fast path serves atomic operations. Not while other threads call them. */
void sheaf_route_open_atomics(bool open);

/* The address in this process of PE pe's copy of the symmetric object at local. pe is near. */
static inline void *sheaf_route_near(const void *local, int pe)
{
    return (void *)((uintptr_t)local + sheaf_route.offsets[(unsigned)pe - sheaf_route.first]);
}

/* Whether pe is on this node. Where the library is not up or pe is no PE, ends the program with a line
 * that names the call, the argument, its value and the expected one. */
bool sheaf_route_is_on_node(int pe, const char *call);

/* The slow path. Checks the same and, where arguments are checked, that [local, local + bytes) is
 * symmetric. Returns the address of pe's copy in this process, or NULL for a PE of another node. */
void *sheaf_route_slow(const void *local, size_t bytes, int pe, const char *call);

/* The address of the copy of a PE of this node. bytes: how much of it the call touches. call: the
 * public name, for messages. */
static inline void *sheaf_route_to(const void *local, size_t bytes, int pe, const char *call)
{
    if (sheaf_route_is_near(pe))
        return sheaf_route_near(local, pe);
    return sheaf_route_slow(local, bytes, pe, call);
}

/* shmem_ptr: NULL when pe is no PE of this node or local is not symmetric; local itself for the
 * own PE. */
void *sheaf_route_pointer(const void *local, int pe);

/* After hold every operation takes the slow path until the next write, and that write then yields: see
 * order.h. For a program with one thread in calls. */
extern SHEAF_HIDDEN bool sheaf_route_is_held;
void sheaf_route_hold(void);
void sheaf_route_let_go(void);

/* Called by init.c. Opens the fast path. Where arguments are checked or operations counted, every call
 * still takes the slow path. */
void sheaf_route_open(bool is_counted);

/* Called by init.c and counters.c. Closes the fast path: every call then comes to sheaf_route_slow(),
 * which ends the program when the library is down. */
void sheaf_route_close(void);

#endif
