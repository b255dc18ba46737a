/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From a symmetric address and a PE to where that PE's copy lies. On a node this is arithmetic:
 * remote = local + offset of the PE, static data and heap alike. One comparison serves as
 * range check of the PE, as "is it near" and as "is the library up": before init, where arguments are
 * checked, and where the node's PEs are not consecutive, count is 0 and every call goes to checked.h, which
 * checks and serves near PEs too.
 */
#ifndef SHEAF_CORE_ACCESS_ROUTE_H
#define SHEAF_CORE_ACCESS_ROUTE_H

#include "base/atomic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The offsets are base + slot * stride, but a load takes fewer steps than a multiplication:
 * p was 9 instructions with it and 12 without. They are this process's own memory. */
struct sheaf_route {
    const uintptr_t *offsets; /* of the PEs from first on: added to a local address; my own is 0 */
    unsigned first;           /* lowest PE of this node */
    unsigned count;           /* PEs of this node from first on; 0 sends everything the slow way */
    unsigned atomics;         /* the same for atomic operations: 0 where some are the network's */
    unsigned reads;           /* the same for reads: 0 where they are counted (poll.h) */
    unsigned fetches;         /* the same for atomic operations that may only read: both */
    unsigned comparisons;     /* SHMEM_CMP_* below this need no look at the call that waits: 0 before init,
                                 after finalize and where arguments are checked */
    unsigned tests;           /* the same for tests: 0 also where they are counted */
};

/* Written at init and finalize alone. */
extern SHEAF_HIDDEN struct sheaf_route sheaf_route;

/* Whether the fast path serves pe, a number in the world. */
static inline bool sheaf_route_is_near(int pe)
{
    return sheaf_likely((unsigned)pe - sheaf_route.first < sheaf_route.count);
}

static inline bool sheaf_route_is_near_for_atomics(int pe)
{
    return sheaf_likely((unsigned)pe - sheaf_route.first < sheaf_route.atomics);
}

static inline bool sheaf_route_is_near_for_reads(int pe)
{
    return sheaf_likely((unsigned)pe - sheaf_route.first < sheaf_route.reads);
}

static inline bool sheaf_route_is_near_for_fetches(int pe)
{
    return sheaf_likely((unsigned)pe - sheaf_route.first < sheaf_route.fetches);
}

/* Whether the fast path serves atomic operations; not while others call them. */
void sheaf_route_open_atomics(bool open);

/* Where PE pe's copy of the symmetric object at local lies; pe is near. */
static inline void *sheaf_route_near(const void *local, int pe)
{
    return (void *)((uintptr_t)local + sheaf_route.offsets[(unsigned)pe - sheaf_route.first]);
}

/* Whether pe is on this node. Ends the program with a line that names call, argument, value and what was
 * expected where the library is not up or pe is no PE. */
bool sheaf_route_is_on_node(int pe, const char *call);

/* The slow way: checks the same and, where arguments are checked, that [local, local + bytes) is symmetric.
 * Returns where pe's copy lies, NULL on another node. */
void *sheaf_route_slow(const void *local, size_t bytes, int pe, const char *call);

/* Where the copy of a PE of this node lies. bytes is how much of it the call touches, call the
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

/* Until the next write every operation takes the slow way, and the write then yields: see order.h. For one
 * thread. */
extern SHEAF_HIDDEN bool sheaf_route_is_held;
void sheaf_route_hold(void);
void sheaf_route_let_go(void);

/* By init.c. From here on the fast path works; where arguments are checked or operations counted, every
 * call takes the slow one. */
void sheaf_route_open(bool is_counted);

/* By init.c and the counters. From here on every call ends in sheaf_route_slow(), which says that the
 * library is down. */
void sheaf_route_close(void);

#endif
