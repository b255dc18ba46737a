/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks of jobs that span nodes, for lock.c: tickets instead of a queue, since a waiter's flag
 * would have to lie where any other PE can write it. home is the PE whose copy of the lock counts.
 */
#ifndef SHEAF_CORE_LOCK_INTERNAL_H
#define SHEAF_CORE_LOCK_INTERNAL_H

#include <stddef.h>

void sheaf_ticket_set(long *lock, int home, const char *call);
int sheaf_ticket_test(long *lock, int home, const char *call); /* 0: taken; 1: busy */
void sheaf_ticket_clear(long *lock, int home, const char *call);

/* Which lock a wait is for, in words. */
void sheaf_lock_describe(const void *lock, char *text, size_t size);

#endif
