/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributed locks: a queue of waiters per lock (Mellor-Crummey and Scott), first come, first
 * served, each waiter on a flag of its own. Correct among threads of a PE too.
 */
#ifndef SHEAF_CORE_LOCK_H
#define SHEAF_CORE_LOCK_H

void sheaf_lock_set(long *lock, const char *call);
int sheaf_lock_test(long *lock, const char *call); /* 0: taken; 1: busy */
void sheaf_lock_clear(long *lock, const char *call);

/* By init.c, at each initialization. */
int sheaf_lock_init(void);

#endif
