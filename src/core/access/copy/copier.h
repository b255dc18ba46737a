/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking puts and gets between PEs of this node that overlap with computation (SHEAF_COPIER).
 * Threads of this process make the long copies, on processors without a PE where there are any. Fence and
 * quiet wait for the copies of all contexts. They themselves copy the pieces that no thread has begun, so
 * they never wait for a thread that does not run. By itself (SHEAF_COPIER=auto) the first long copy starts
 * one thread, where the host has a processor for each PE's. Without threads every copy is made at once.
 */
#ifndef SHEAF_CORE_ACCESS_COPY_COPIER_H
#define SHEAF_CORE_ACCESS_COPY_COPIER_H

#include "base/atomic.h"
#include "engine/engine.h"

#include <stdbool.h>
#include <stddef.h>

/* Nonblocking copies of this many bytes and more are sheaf_copier_copy()'s; SIZE_MAX: none. Written at
 * init and finalize. */
extern SHEAF_HIDDEN size_t sheaf_copier_from;

/* Whether there are threads, so that copies may be under way. By itself from the first long copy on. */
extern SHEAF_HIDDEN bool sheaf_copier_has_threads;
static inline bool sheaf_copier_is_on(void)
{
    return sheaf_load_relaxed(&sheaf_copier_has_threads);
}

/* Makes a copy of sheaf_copier_from bytes or more, then the update of signal (NULL: none) at
 * near_signal. A thread does both later, or the caller does them at once: where too many jobs are under
 * way, and where waking a thread would take longer than the copy. */
void sheaf_copier_copy(void *dest, const void *source, size_t bytes, const struct sheaf_signal_call *signal,
                       uint64_t *near_signal);

/* The same for blocks of any number of bytes: the caller copies fewer than sheaf_copier_from at once.
 * Returns a ticket, for wait and test below; 0: they are copied. */
uint64_t sheaf_copier_copy_row(const struct sheaf_row *row);

/* Returns when all jobs added before are done, whatever their context. */
void sheaf_copier_drain(void);

/* Whether the jobs up to the ticket's are done. test copies a piece if they are not, so that a program
 * that tests needs no thread that runs. wait returns when they are. */
bool sheaf_copier_test(uint64_t ticket);
void sheaf_copier_wait(uint64_t ticket);

/* Called by init.c. threads: SHEAF_COPIER_AUTO for one that starts with the first long copy, where there
 * is a processor for it; begun is called then. has_callers: several threads may hand over copies at once.
 * start returns 0, or -1 with the reason printed. */
int sheaf_copier_start(size_t threads, bool has_callers, void (*begun)(void));
void sheaf_copier_stop(void);

/* Called in a forked child, which has none of the threads. */
void sheaf_copier_forked(void);

#endif
