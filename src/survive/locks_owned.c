/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks where deaths are reported: the lock names the process that holds it, so that whoever waits
 * sees that it has died, and takes the lock over. A queue would lose those who stand behind one that
 * died between taking its place and saying so; here waiters are let in as they come.
 */
#include "survive/locks.h"

#include "base/log.h"
#include "base/os/os.h"
#include "core/access/order.h"
#include "core/lock_internal.h"
#include "core/memory/symmetric.h"
#include "survive/failure.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"

#include <stdbool.h>

#define WAITED_FOR (1U << 31) /* somebody may sleep on the word */

/* The half of the home PE's copy that names the holder. */
static uint32_t *owner_of(long *lock, const char *call)
{
    return &sheaf_lock_home_word(lock, call)->tail;
}

#define PE_MASK ((UINT32_C(1) << SHEAF_FAILURE_PE_BITS) - 1)

static uint32_t load_copy(const long *lock)
{
    return sheaf_load_relaxed(&((const struct lock_word *)lock)->held);
}

uint32_t sheaf_locks_origin(const long *lock)
{
    uint32_t copy = load_copy(lock);
    return (copy ^ sheaf_job.lock_name) & ~PE_MASK ? 0 : copy & PE_MASK;
}

void sheaf_locks_set_origin(long *lock, uint32_t from)
{
    uint32_t copy = from ? from | (sheaf_job.lock_name & ~PE_MASK) : 0;
    sheaf_store_relaxed(&((struct lock_word *)lock)->held, copy);
}

bool sheaf_locks_origin_is_wrong(const long *lock)
{
    uint32_t copy = load_copy(lock), from = copy & PE_MASK;
    return copy != 0 && (from == 0 || from >= SHEAF_LOCK_FROM(sheaf_job.npes) ||
                         (copy & ~PE_MASK) > (sheaf_job.lock_name & ~PE_MASK));
}

/* Takes the lock, whose word was now, if that is free or its holder dead; else *now is its word. */
static bool try_take(long *lock, uint32_t *owner, uint32_t *now, uint32_t wanted)
{
    uint32_t before = *now & ~WAITED_FOR;
    bool is_inherited = before != 0 && sheaf_failure_is_gone(before);
    if ((before != 0 && !is_inherited) ||
        !__atomic_compare_exchange_n(owner, now, wanted | (*now & WAITED_FOR), false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return false;
    sheaf_locks_set_origin(lock, is_inherited ? SHEAF_LOCK_FROM(sheaf_failure_pe_of(before))
                                              : SHEAF_LOCK_FROM_NOBODY);
    sheaf_record_lock((uint64_t)sheaf_symmetric_position(lock));
    return true;
}

/* A holder's name is of a PE. */
static void check_word(const long *lock, uint32_t word, const char *call)
{
    if ((word & ~WAITED_FOR) != 0 && sheaf_failure_pe_of(word & ~WAITED_FOR) >= sheaf_job.npes)
        sheaf_lock_refuse_value(lock, call);
}

static bool is_own(uint32_t word)
{
    return (word & ~WAITED_FOR) == sheaf_job.lock_name;
}

/* Before it sleeps a waiter says so in the word: *now is that then. */
static bool announce(uint32_t *owner, uint32_t *now)
{
    if (!(*now & WAITED_FOR) &&
        !__atomic_compare_exchange_n(owner, now, *now | WAITED_FOR, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED))
        return false;
    *now |= WAITED_FOR;
    return true;
}

/* Whoever has slept does not know who else does: it lets go with a call to all. */
static void set_owned(long *lock, const char *call)
{
    uint32_t *owner = owner_of(lock, call);
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_LOCK, lock, sheaf_lock_describe);
    uint32_t now = sheaf_load_relaxed(owner), wanted = sheaf_job.lock_name, sleepers = 0;
    wait.position = (uint64_t)sheaf_symmetric_position(lock);
    wait.bears_deaths = true;
    check_word(lock, now, call);
    while (!try_take(lock, owner, &now, wanted)) {
        if (is_own(now) && (sheaf_locks_origin(lock) == 0 || sheaf_locks_origin_is_wrong(lock)))
            sheaf_lock_refuse_value(lock, call);
        if (is_own(now) && sheaf_job.thread_level != SHMEM_THREAD_MULTIPLE)
            sheaf_fatal("SH119 %s: this PE holds the lock at %p already and would wait for itself", call,
                        (void *)lock);
        if ((now & ~WAITED_FOR) == 0 || sheaf_failure_is_gone(now & ~WAITED_FOR) || !announce(owner, &now))
            continue;
        wanted |= WAITED_FOR;
        sheaf_wait_turn(owner, &sleepers, now, &wait);
        now = sheaf_load_relaxed(owner);
    }
    sheaf_wait_done(&wait);
}

static int test_owned(long *lock, const char *call)
{
    uint32_t *owner = owner_of(lock, call), now = sheaf_load_relaxed(owner);
    check_word(lock, now, call);
    if (try_take(lock, owner, &now, sheaf_job.lock_name))
        return 0;
    sheaf_wait_polled();
    return 1;
}

static void clear_owned(long *lock, const char *call)
{
    uint32_t *owner = owner_of(lock, call);
    if (!is_own(sheaf_load_relaxed(owner)))
        sheaf_fatal("SH119 %s: this PE does not hold the lock at %p", call, (void *)lock);
    sheaf_quiet();
    sheaf_record_unlock((uint64_t)sheaf_symmetric_position(lock));
    sheaf_locks_set_origin(lock, 0);
    if (__atomic_exchange_n(owner, 0, __ATOMIC_RELEASE) & WAITED_FOR)
        sheaf_os_futex_wake(owner);
}

const struct sheaf_lock_kind sheaf_locks_owned = {set_owned, test_owned, clear_owned};

int sheaf_locks_inherited(const long *lock)
{
    uint32_t origin = sheaf_locks_origin(lock);
    bool is_inherited = sheaf_failure_is_reported && origin > SHEAF_LOCK_FROM_NOBODY;
    return is_inherited ? (int)(origin - SHEAF_LOCK_FROM(0)) : -1;
}
