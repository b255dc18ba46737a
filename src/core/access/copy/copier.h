/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking puts and gets of PEs of this node that overlap with computation (SHEAF_COPIER=N): N
 * threads of this process carry out the long ones, on processors that no PE computes on where there are
 * any. Fence and quiet wait for them all, of whatever context, and copy themselves what no thread has
 * begun: what is left to a thread that does not run is never waited for. Without SHEAF_COPIER there is
 * no thread, and every copy is made at once.
 */
#ifndef SHEAF_CORE_ACCESS_COPY_COPIER_H
#define SHEAF_CORE_ACCESS_COPY_COPIER_H

#include "base/atomic.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>

/* Copies of so many bytes and more are left to the threads; SIZE_MAX without them. Written at init and
 * finalize. */
extern SHEAF_HIDDEN size_t sheaf_copier_from;

static inline bool sheaf_copier_is_on(void)
{
    return sheaf_copier_from != SIZE_MAX;
}

/* A copy of sheaf_copier_from bytes or more, then the update of signal (NULL: none) at near_signal: by
 * a thread, later, or at once where too many are under way. */
void sheaf_copier_copy(void *dest, const void *source, size_t bytes, const struct sheaf_signal_call *signal,
                       uint64_t *near_signal);

/* Returns when all that was left to the threads before is done, whatever the context. */
void sheaf_copier_drain(void);

/* By init.c. 0, or -1 with the reason printed. */
int sheaf_copier_start(size_t threads);
void sheaf_copier_stop(void);

/* In a forked child, which has none of the threads. */
void sheaf_copier_forked(void);

#endif
