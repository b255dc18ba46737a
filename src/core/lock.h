/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributed locks: a queue of waiters for each lock (Mellor-Crummey and Scott), first come, first
 * served; each waiter polls its own flag. They also exclude threads of one PE.
 */
#ifndef SHEAF_CORE_LOCK_H
#define SHEAF_CORE_LOCK_H

void sheaf_lock_set(long *lock, const char *call);
int sheaf_lock_test(long *lock, const char *call); /* 0: now held; 1: busy */
void sheaf_lock_clear(long *lock, const char *call);

/* Called by init.c at each initialization. */
int sheaf_lock_init(void);

#endif
