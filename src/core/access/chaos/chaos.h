/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_CHAOS=SEED performs unordered operations late, and in another order than they were issued, as far
 * as the specification allows. So a missing fence or quiet shows. A call that need not be complete on
 * return defers its operation here. A thread performs it after a time that choice.h chooses. A quiet
 * performs it earlier, and so does a fence where the PE's own stores might come next.
 *
 * Operations of one context on one PE keep their order where a fence stands between them. Gets have no
 * order.
 */
#ifndef SHEAF_CORE_ACCESS_CHAOS_CHAOS_H
#define SHEAF_CORE_ACCESS_CHAOS_CHAOS_H

#include "base/atomic.h"
#include "core/access/chaos/late.h"

/* Written at init and finalize. While it is true the routes are closed (route.h). */
extern SHEAF_HIDDEN bool sheaf_chaos_is_on;

/* Defers the operation, or performs it at once. A deferred operation uses the caller's source and dest,
 * except where they may be reused on return: then the source is copied. */
void sheaf_chaos_defer(struct sheaf_late *late);

/* Called before an operation that the caller performs at once: performs the deferred operations that a
 * fence puts before it. */
void sheaf_chaos_perform_fenced(shmem_ctx_t ctx, int pe);

/* Orders or completes the context's operations on all PEs; quiet also on one PE (else SHEAF_EVERY_PE). */
void sheaf_chaos_fence(shmem_ctx_t ctx);
void sheaf_chaos_quiet(shmem_ctx_t ctx, int pe);

/* Completes the operations of every context. */
void sheaf_chaos_quiet_all(void);

/* The program may store to PE pe's memory by itself from now on: shmem_ptr has returned the address. */
void sheaf_chaos_expect_stores(int pe);

/* Called by init.c. start returns 0, or -1 with the reason printed. forked runs in a child process,
 * which has no thread. */
int sheaf_chaos_start(uint64_t seed);
void sheaf_chaos_stop(void);
void sheaf_chaos_forked(void);

#endif
