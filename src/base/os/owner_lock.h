/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A lock of what one thread uses all the time and others rarely: its owner takes it with a store and a
 * load, without an atomic instruction (1 ns instead of 15); a visitor makes up for that with a system
 * call that runs a fence on every processor of this process. Where there is no such call, or no single
 * owner, it is a mutex.
 *
 * inside is written by the owner, wanted by visitors, under the mutex. Never both: of the owner's store
 * to inside and load of wanted, and the visitor's store to wanted, fence of all, load of inside, one
 * sees the other's store.
 */
#ifndef SHEAF_BASE_OS_OWNER_LOCK_H
#define SHEAF_BASE_OS_OWNER_LOCK_H

#include "base/atomic.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct sheaf_owner_lock {
    pthread_mutex_t mutex;
    bool is_shared; /* the mutex alone counts */
    uint32_t inside;
    uint32_t wanted;
};

/* is_shared: several threads enter as owners. Else one does at a time, and the next only after the
 * program has ordered the two. */
void sheaf_owner_lock_init(struct sheaf_owner_lock *lock, bool is_shared);
void sheaf_owner_lock_fini(struct sheaf_owner_lock *lock);

void sheaf_owner_lock_wait(struct sheaf_owner_lock *lock);

static inline void sheaf_owner_lock_enter(struct sheaf_owner_lock *lock)
{
    if (lock->is_shared) {
        pthread_mutex_lock(&lock->mutex);
        return;
    }
    sheaf_store_relaxed(&lock->inside, 1);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* the processors' part is visit()'s */
    if (sheaf_unlikely(sheaf_load_acquire(&lock->wanted)))
        sheaf_owner_lock_wait(lock);
}

static inline void sheaf_owner_lock_leave(struct sheaf_owner_lock *lock)
{
    if (lock->is_shared)
        pthread_mutex_unlock(&lock->mutex);
    else
        sheaf_store_release(&lock->inside, 0);
}

/* By any other thread. Returns whether it has the lock; never waits for the owner. */
bool sheaf_owner_lock_visit(struct sheaf_owner_lock *lock);
void sheaf_owner_lock_end_visit(struct sheaf_owner_lock *lock);

#endif
