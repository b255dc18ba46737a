/* SPDX-License-Identifier: BSD-3-Clause
 * See owner_lock.h.
 */
#include "base/os/owner_lock.h"

#include "base/os/os.h"

void sheaf_owner_lock_init(struct sheaf_owner_lock *lock, bool is_shared)
{
    *lock = (struct sheaf_owner_lock){.is_shared = is_shared || !sheaf_os_prepare_fence_all()};
    pthread_mutex_init(&lock->mutex, NULL);
}

void sheaf_owner_lock_fini(struct sheaf_owner_lock *lock)
{
    pthread_mutex_destroy(&lock->mutex);
}

/* A visitor is there, or about to look: it keeps the mutex until it has left. */
void sheaf_owner_lock_wait(struct sheaf_owner_lock *lock)
{
    sheaf_store_release(&lock->inside, 0);
    pthread_mutex_lock(&lock->mutex);
    sheaf_store_relaxed(&lock->inside, 1);
    pthread_mutex_unlock(&lock->mutex);
}

bool sheaf_owner_lock_visit(struct sheaf_owner_lock *lock)
{
    if (pthread_mutex_trylock(&lock->mutex) != 0)
        return false;
    if (lock->is_shared)
        return true;
    sheaf_store_relaxed(&lock->wanted, 1);
    sheaf_os_fence_all();
    if (!sheaf_load_acquire(&lock->inside))
        return true;
    sheaf_owner_lock_end_visit(lock);
    return false;
}

void sheaf_owner_lock_end_visit(struct sheaf_owner_lock *lock)
{
    sheaf_store_release(&lock->wanted, 0);
    pthread_mutex_unlock(&lock->mutex);
}
