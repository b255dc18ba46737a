/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kinds of locks: queues on one host (lock.c), tickets across hosts (lock_ticket.c), and those of jobs
 * that outlive a death (survive/locks.h). One kind serves the whole job.
 */
#ifndef SHEAF_CORE_LOCK_INTERNAL_H
#define SHEAF_CORE_LOCK_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

struct sheaf_lock_kind {
    void (*set)(long *lock, const char *call);
    int (*test)(long *lock, const char *call); /* 0: now held; 1: busy */
    void (*clear)(long *lock, const char *call);
};

/* Locks across hosts, where no PE of another host could store to a waiter's flag directly. */
extern const struct sheaf_lock_kind sheaf_lock_tickets;

/* The variable of all kinds except tickets. */
struct lock_word {
    uint32_t tail; /* home PE: name of the queue's last node, or of the holder; 0 when free */
    uint32_t held; /* this PE: index + 1 of the node with which it holds the lock; other kinds differ */
};
_Static_assert(sizeof(long) == sizeof(struct lock_word), "a lock is a 64-bit long");

/* The PE whose copy of the lock is used, and that copy's address in this process where the PE is near. */
int sheaf_lock_home(const long *lock);
struct lock_word *sheaf_lock_home_word(long *lock, const char *call);

/* Ends the program: the word has a value that no call stores. */
_Noreturn void sheaf_lock_refuse_value(const long *lock, const char *call);

/* Describes the lock that a wait is for. */
#define SHEAF_LOCK_TEXT 160
void sheaf_lock_describe(const void *lock, char *text, size_t size);

#endif
