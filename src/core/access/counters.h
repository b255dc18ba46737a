/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts of the program's operations, for the shmemx_pcntr_ routines. Counting closes the route, so that
 * every operation takes the slow path and is counted there; programs that do not ask for counts pay
 * nothing. One call of a routine counts as one, whatever its size. A call that fetches is a read, any
 * other a write.
 */
#ifndef SHEAF_CORE_ACCESS_COUNTERS_H
#define SHEAF_CORE_ACCESS_COUNTERS_H

#include "base/atomic.h"
#include "core/pe/public.h"

#include <stdbool.h>
#include <stdint.h>

/* The counts of a context, written with relaxed atomic additions. */
struct sheaf_counts {
    uint64_t writes;
    uint64_t reads;
};

/* Written at init, and by the first call of a counter's routine. */
extern bool sheaf_counters_are_on;

/* Whether this library contains the counters' routines: the linker adds them to a static program only
 * if it uses them. */
extern bool sheaf_counters_are_linked;

/* Called at init, before the route opens and before the barrier after which peers write. Turns counting
 * on where the program or one of its libraries refers to the routines. */
void sheaf_counters_init(void);

/* Turns counting on from the next operation on, for callers that loading the program did not show. */
void sheaf_counters_require(const char *call);

/* The counts of a context, also of SHMEM_CTX_DEFAULT; NULL for SHMEM_CTX_INVALID. */
struct sheaf_counts *sheaf_counters_of(shmem_ctx_t ctx);

/* The number of operations of other PEs that have changed this PE's memory. It includes calls of PEs of
 * this node that count their calls, messages of far PEs, and writes that share a message. */
uint64_t sheaf_counters_arrived(void);

void sheaf_counters_add(shmem_ctx_t ctx, bool is_write, bool is_near, int pe);

/* Counts a write that is performed later. Returns the counter to increment then, or NULL. */
uint64_t *sheaf_counters_add_late(shmem_ctx_t ctx, bool is_near, int pe);

/* Called after the operation, so that a PE that sees the count at the target sees the data. */
static inline void sheaf_count_write(shmem_ctx_t ctx, bool is_near, int pe)
{
    if (sheaf_unlikely(sheaf_counters_are_on))
        sheaf_counters_add(ctx, true, is_near, pe);
}

static inline void sheaf_count_read(shmem_ctx_t ctx, int pe)
{
    if (sheaf_unlikely(sheaf_counters_are_on))
        sheaf_counters_add(ctx, false, false, pe);
}

#endif
