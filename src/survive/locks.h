/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks whose holder may die: the next waiter takes them over.
 */
#ifndef SHEAF_SURVIVE_LOCKS_H
#define SHEAF_SURVIVE_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

/* On one host the lock names its holder; on several the queues are in the job's replicated log. */
extern const struct sheaf_lock_kind sheaf_locks_owned, sheaf_locks_in_log;

/* In the second half of the own copy: that this process holds the lock, and from whom it has it. The copy
 * names the process too: a process in a dead one's place has the dead one's copies in its heap. 0: this
 * process does not hold the lock. */
#define SHEAF_LOCK_FROM_NOBODY 1
#define SHEAF_LOCK_FROM(pe)    ((uint32_t)(pe) + 2)
uint32_t sheaf_locks_origin(const long *lock);
void sheaf_locks_set_origin(long *lock, uint32_t from);

/* Whether no process of this PE leaves such a copy. */
bool sheaf_locks_origin_is_wrong(const long *lock);

/* From which dead PE this PE, which holds the lock, has it; -1: from nobody who died with it. */
int sheaf_locks_inherited(const long *lock);

#endif
