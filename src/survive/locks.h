/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks whose holder may die: the next waiter takes them over.
 */
#ifndef SHEAF_SURVIVE_LOCKS_H
#define SHEAF_SURVIVE_LOCKS_H

/* On one host the lock names its holder; on several the queues are in the job's replicated log. */
extern const struct sheaf_lock_kind sheaf_locks_owned, sheaf_locks_ordered;

/* From which dead PE this PE, which holds the lock, has it; -1: from nobody who died with it. */
int sheaf_locks_inherited(const long *lock);

#endif
