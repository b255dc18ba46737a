/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Counts of the program's operations, for the shmemx_pcntr_ routines. Counting closes the route, so that
 * every operation takes the slow way, where it is counted: programs that do not ask pay nothing. A
 * count is a routine's call, whatever its size; a call that fetches is a read, any other a write.
 */
#ifndef SHEAF_CORE_ACCESS_COUNTERS_H
#define SHEAF_CORE_ACCESS_COUNTERS_H

#include "base/atomic.h"
#include "core/pe/public.h"

#include <stdbool.h>
#include <stdint.h>

/* Of a context; written with relaxed atomic additions. */
struct sheaf_counts {
    uint64_t writes;
    uint64_t reads;
};

/* Written at init, and by the first call of a counter's routine. */
extern bool sheaf_counters_are_on;

/* Whether this library holds the counters' routines: a static program takes them only with a use. */
extern bool sheaf_counters_are_linked;

/* Before the barrier behind which peers write, and the route opens: on where the program or one of its
 * libraries refers to the routines. */
void sheaf_counters_init(void);

/* On from the next operation on: for callers that loading the program did not show. */
void sheaf_counters_require(const char *call);

/* Of SHMEM_CTX_DEFAULT too; NULL for SHMEM_CTX_INVALID. */
struct sheaf_counts *sheaf_counters_of(shmem_ctx_t ctx);

/* Operations of other PEs that have changed this PE's memory: calls of PEs of this node that count,
 * messages of others, and writes that share one. */
uint64_t sheaf_counters_arrived(void);

void sheaf_counters_add(shmem_ctx_t ctx, bool is_write, bool is_near, int pe);

/* A write that is counted now and performed later: what to count up then, or NULL. */
uint64_t *sheaf_counters_add_late(shmem_ctx_t ctx, bool is_near, int pe);

/* After the operation: a PE that sees the count at the target sees the data. */
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
