/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks of jobs that span nodes, for lock.c: tickets instead of a queue, since a waiter's flag
 * would have to lie where any other PE can write it. home is the PE whose copy of the lock counts.
 */
#ifndef SHEAF_CORE_LOCK_INTERNAL_H
#define SHEAF_CORE_LOCK_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

void sheaf_ticket_set(long *lock, int home, const char *call);
int sheaf_ticket_test(long *lock, int home, const char *call); /* 0: taken; 1: busy */
void sheaf_ticket_clear(long *lock, int home, const char *call);

/* The queue's variable; owned locks have the halves, too. */
struct lock_word {
    uint32_t tail; /* home PE: name of the queue's last node, 0 when free */
    uint32_t held; /* this PE: index + 1 of the node it holds the lock with */
};
_Static_assert(sizeof(long) == sizeof(struct lock_word), "a lock is a 64-bit long");

/* Locks of jobs that go on when a PE dies (lock_owned.c). owner: the half of the home PE's copy that
 * names the holder. */
void sheaf_owned_set(long *lock, uint32_t *owner, const char *call);
int sheaf_owned_test(long *lock, uint32_t *owner, const char *call); /* 0: taken; 1: busy */
void sheaf_owned_clear(long *lock, uint32_t *owner, const char *call);

/* The same on several nodes (lock_ordered.c). */
void sheaf_ordered_set(long *lock, const char *call);
int sheaf_ordered_test(long *lock, const char *call);
void sheaf_ordered_clear(long *lock, const char *call);

/* A word that no protocol leaves ends the program. */
_Noreturn void sheaf_lock_refuse_value(const long *lock, const char *call);

/* Which lock a wait is for, in words. */
#define SHEAF_LOCK_TEXT 160
void sheaf_lock_describe(const void *lock, char *text, size_t size);

#endif
