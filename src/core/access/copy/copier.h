/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking puts and gets between PEs of this node that overlap with computation (SHEAF_COPIER=N). N
 * threads of this process make the long copies, on processors without a PE where there are any. Fence and
 * quiet wait for the copies of all contexts. They themselves copy the pieces that no thread has begun, so
 * they never wait for a thread that does not run. Without SHEAF_COPIER there is no thread, and every copy
 * is made at once.
 */
#ifndef SHEAF_CORE_ACCESS_COPY_COPIER_H
#define SHEAF_CORE_ACCESS_COPY_COPIER_H

#include "base/atomic.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>

/* Copies of this many bytes and more are handed to the threads; SIZE_MAX without threads. Written at
 * init and finalize. */
extern SHEAF_HIDDEN size_t sheaf_copier_from;

static inline bool sheaf_copier_is_on(void)
{
    return sheaf_copier_from != SIZE_MAX;
}

/* Makes a copy of sheaf_copier_from bytes or more, then the update of signal (NULL: none) at
 * near_signal. A thread does both later, or the caller does them at once where too many jobs are under
 * way. */
void sheaf_copier_copy(void *dest, const void *source, size_t bytes, const struct sheaf_signal_call *signal,
                       uint64_t *near_signal);

/* Returns when all jobs added before are done, whatever their context. */
void sheaf_copier_drain(void);

/* Called by init.c. start returns 0, or -1 with the reason printed. */
int sheaf_copier_start(size_t threads);
void sheaf_copier_stop(void);

/* Called in a forked child, which has none of the threads. */
void sheaf_copier_forked(void);

#endif
