/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine's state, and the lock of a worker.
 */
#include "engine/message/stream/worker.h"

struct sheaf_msg_state sheaf_msg_state;

bool sheaf_msg_try_lock(struct sheaf_msg_worker *worker)
{
    return pthread_mutex_trylock(&worker->lock) == 0;
}

void sheaf_msg_unlock(struct sheaf_msg_worker *worker)
{
    pthread_mutex_unlock(&worker->lock);
}

void sheaf_msg_lock_only(struct sheaf_msg_worker *worker)
{
    if (sheaf_msg_try_lock(worker))
        return;
    __atomic_fetch_add(&worker->wanted, 1, __ATOMIC_RELAXED);
    pthread_mutex_lock(&worker->lock);
    __atomic_fetch_sub(&worker->wanted, 1, __ATOMIC_RELAXED);
}
