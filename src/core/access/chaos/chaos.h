/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHEAF_CHAOS=SEED: operations that nothing orders are performed late and in another order than they
 * were issued, as far as the specification allows, so that a missing fence or quiet shows. A call that
 * need not be complete on return leaves its operation here; a thread performs it after a while that
 * choice.h chooses, or a quiet does, or a fence where the PE's own stores might come next.
 *
 * Operations of one context on one PE that a fence stands between keep their order; gets have none.
 */
#ifndef SHEAF_CORE_ACCESS_CHAOS_CHAOS_H
#define SHEAF_CORE_ACCESS_CHAOS_CHAOS_H

#include "base/atomic.h"
#include "core/access/chaos/late.h"

/* Written at init and finalize. While it is true the routes are closed (route.h). */
extern SHEAF_HIDDEN bool sheaf_chaos_is_on;

/* Leaves the operation, of which source and dest stay the caller's where they may not be reused yet, or
 * performs it at once. */
void sheaf_chaos_leave(struct sheaf_late *late);

/* Before an operation that its caller performs at once: those that a fence put before it are performed. */
void sheaf_chaos_pass(shmem_ctx_t ctx, int pe);

/* The context's operations on all PEs (SHEAF_EVERY_PE) or one. */
void sheaf_chaos_fence(shmem_ctx_t ctx);
void sheaf_chaos_quiet(shmem_ctx_t ctx, int pe);

/* Of every context. */
void sheaf_chaos_quiet_all(void);

/* The program may store to PE pe's memory by itself from now on: shmem_ptr has told it the place. */
void sheaf_chaos_expect_stores(int pe);

/* By init.c. start: 0, or -1 with the reason printed. forked: in a child, which has no thread. */
int sheaf_chaos_start(uint64_t seed);
void sheaf_chaos_stop(void);
void sheaf_chaos_forked(void);

#endif
