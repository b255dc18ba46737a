/* SPDX-License-Identifier: BSD-3-Clause
 * See locks.h.
 */
#include "boot/replicated_log/locks.h"

#include <stdlib.h>

/* Of a lock: the first one holds it, the others wait. */
struct waiter {
    struct waiter *next;
    struct sheaf_lock_call call;
};

struct lock {
    struct lock *next;
    uint64_t position;
    struct waiter *first;
    int from; /* who died with it, until the next has it; -1 */
};

/* Locks that somebody holds, and those of dead holders. */
struct sheaf_locks {
    sheaf_locks_answer *answer;
    struct lock *first;
};

struct sheaf_locks *sheaf_locks_create(sheaf_locks_answer *answer)
{
    struct sheaf_locks *locks = calloc(1, sizeof *locks);
    if (locks)
        locks->answer = answer;
    return locks;
}

static void drop_first(struct lock *lock)
{
    struct waiter *first = lock->first;
    lock->first = first->next;
    free(first);
}

static struct lock *find(struct sheaf_locks *locks, uint64_t position)
{
    struct lock *lock = locks->first;
    while (lock && lock->position != position)
        lock = lock->next;
    if (lock || !(lock = calloc(1, sizeof *lock)))
        return lock;
    lock->position = position;
    lock->from = -1;
    lock->next = locks->first;
    locks->first = lock;
    return lock;
}

static void forget_if_free(struct sheaf_locks *locks, struct lock *lock)
{
    struct lock **place = &locks->first;
    if (lock->first || lock->from >= 0)
        return;
    while (*place != lock)
        place = &(*place)->next;
    *place = lock->next;
    free(lock);
}

/* The first in the queue has it now. */
static void grant(const struct sheaf_locks *locks, struct lock *lock)
{
    if (!lock->first)
        return;
    struct sheaf_lock_answer answer = {.from = lock->from, .number = lock->first->call.number};
    lock->from = -1;
    locks->answer(&lock->first->call, &answer);
}

static bool append(const struct sheaf_locks *locks, struct lock *lock, const struct sheaf_lock_call *call)
{
    struct waiter **place = &lock->first, *waiter = calloc(1, sizeof *waiter);
    if (!waiter)
        return false;
    waiter->call = *call;
    while (*place)
        place = &(*place)->next;
    *place = waiter;
    if (lock->first == waiter)
        grant(locks, lock);
    return true;
}

static void clear(struct sheaf_locks *locks, struct lock *lock, int pe)
{
    if (lock->first && lock->first->call.pe == pe) {
        drop_first(lock);
        grant(locks, lock);
    }
    forget_if_free(locks, lock);
}

bool sheaf_locks_call(struct sheaf_locks *locks, const struct sheaf_lock_call *call)
{
    struct lock *lock = call->what <= SHEAF_LOCK_CLEAR ? find(locks, call->lock) : NULL;
    if (!lock)
        return false;
    if (call->what == SHEAF_LOCK_CLEAR) {
        clear(locks, lock, call->pe);
    } else if (call->what == SHEAF_LOCK_TEST && lock->first) {
        struct sheaf_lock_answer busy = {.is_refused = 1, .from = -1, .number = call->number};
        locks->answer(call, &busy);
    } else {
        return append(locks, lock, call);
    }
    return true;
}

/* Whether the PE held it. */
static bool remove_all(struct lock *lock, int pe)
{
    bool held = lock->first && lock->first->call.pe == pe;
    for (struct waiter **place = &lock->first; *place;) {
        struct waiter *waiter = *place;
        if (waiter->call.pe != pe) {
            place = &waiter->next;
            continue;
        }
        *place = waiter->next;
        free(waiter);
    }
    return held;
}

void sheaf_locks_die(struct sheaf_locks *locks, int pe)
{
    for (struct lock *lock = locks->first, *next; lock; lock = next) {
        next = lock->next;
        if (!remove_all(lock, pe))
            continue;
        lock->from = pe;
        grant(locks, lock);
    }
}
