/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many operations a context has issued and completed, and how many have arrived here. Programs
 * that refer to none of these names are not counted, and pay nothing.
 */
#include "api/define.h"

#include "core/access/counters.h"
#include "core/pe/public_extensions.h"

#ifndef SHEAF_PRINT
__attribute__((constructor)) static void be_linked(void)
{
    sheaf_counters_are_linked = true;
}

static struct sheaf_counts issued(shmem_ctx_t ctx, const char *call)
{
    sheaf_counters_require(call);
    const struct sheaf_counts *counts = sheaf_counters_of(ctx);
    if (counts == NULL)
        return (struct sheaf_counts){0, 0};
    return (struct sheaf_counts){sheaf_load_relaxed(&counts->writes),
                                 sheaf_load_relaxed(&counts->reads)};
}

/* Operations that were issued before the quiet are complete after it. */
static struct sheaf_counts completed(shmem_ctx_t ctx, const char *call)
{
    struct sheaf_counts counts = issued(ctx, call);
    if (ctx != SHMEM_CTX_INVALID)
        sheaf_context_quiet(ctx);
    return counts;
}
#endif

SHEAF_CHAPTER("Counters: extensions")

/* Sets *cntr_value to how many writes ctx has issued since it was created: calls of put, p, iput, ibput,
 * put with signal, signal and of atomic operations that fetch nothing, blocking or not. 0 for
 * SHMEM_CTX_INVALID. Calls of collectives, locks and noncontiguous transfers are not counted.
 *
 * Operations are counted from the start of a program that refers to one of these routines, and from the
 * first call of one where the program finds them by dlsym. Counting makes each operation on a PE of the
 * node about as slow as with SHMEM_DEBUG. */
SHEAF_EXTENSION(void, pcntr_get_issued_write, (shmem_ctx_t ctx, uint64_t *cntr_value), {
    *cntr_value = issued(ctx, call).writes;
})

/* The same for reads: calls of get, g, iget, ibget and of atomic operations that fetch. */
SHEAF_EXTENSION(void, pcntr_get_issued_read, (shmem_ctx_t ctx, uint64_t *cntr_value), {
    *cntr_value = issued(ctx, call).reads;
})

/* How many of these writes are complete, at the target too. Operations on PEs of the node complete at
 * once; on those of other nodes the call waits for them, as shmem_ctx_quiet does. */
SHEAF_EXTENSION(void, pcntr_get_completed_write, (shmem_ctx_t ctx, uint64_t *cntr_value), {
    SHEAF_CALL(call);
    *cntr_value = completed(ctx, call).writes;
})

/* The same for reads. */
SHEAF_EXTENSION(void, pcntr_get_completed_read, (shmem_ctx_t ctx, uint64_t *cntr_value), {
    SHEAF_CALL(call);
    *cntr_value = completed(ctx, call).reads;
})

/* How many writes of all PEs have changed the calling PE's memory; a PE that sees the count sees their
 * data. From PEs of the node, itself among them, each call counts as one; from other nodes each message
 * does, and each write in a message that several writes share. A large transfer may count as several,
 * and an adapter's own RMA does not count. */
SHEAF_EXTENSION(void, pcntr_get_completed_target, (uint64_t *cntr_value), {
    sheaf_counters_require(call);
    *cntr_value = sheaf_counters_arrived();
})

/* Sets *pcntr to all of these numbers; its two fields called pending count the operations issued. */
SHEAF_EXTENSION(void, pcntr_get_all, (shmem_ctx_t ctx, shmemx_pcntr_t *pcntr), {
    SHEAF_CALL(call);
    const struct sheaf_counts counts = completed(ctx, call);
    *pcntr = (shmemx_pcntr_t){counts.writes, counts.reads, counts.writes, counts.reads,
                              sheaf_counters_arrived()};
})
