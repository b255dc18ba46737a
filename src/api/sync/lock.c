/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Distributed locks.
 */
#include "api/define.h"

#include "core/lock.h"

SHEAF_CHAPTER("Distributed locks")

/* Takes the lock, waiting for it first come, first served. lock is symmetric, and 0 on all PEs
 * before its first use. A holder may not take it again.
 * Specification 1.6: shmem_lock */
SHEAF_ROUTINE(void, shmem_set_lock, (long *lock), {
    SHEAF_CALL(call);
    sheaf_lock_set(lock, call);
})

/* Completes the default context's operations, then gives the lock to the next in line.
 * Specification 1.6: shmem_lock */
SHEAF_ROUTINE(void, shmem_clear_lock, (long *lock), {
    SHEAF_CALL(call);
    sheaf_lock_clear(lock, call);
})

/* Takes the lock if it is free: returns 0 then, 1 when it is held.
 * Specification 1.6: shmem_lock */
SHEAF_ROUTINE(int, shmem_test_lock, (long *lock), {
    SHEAF_CALL(call);
    return sheaf_lock_test(lock, call);
})
