/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks of jobs on several nodes that go on when a PE dies: their queues are in the one list of the job
 * (boot/replicated_log/locks.h), not in any PE's memory, which may be out of reach with its host. Of the
 * lock's variable this PE's own copy says whether it holds the lock, and from whom.
 */
#include "survive/locks.h"

#include "base/log.h"
#include "boot/replicated_log/agent_client.h"
#include "core/access/order.h"
#include "core/lock_internal.h"
#include "core/memory/symmetric.h"
#include "core/pe/arena.h"
#include "survive/failure.h"
#include "core/pe/job.h"
#include "core/pe/record.h"
#include "core/pe/wait.h"

#include <stdbool.h>

static bool has_threads(void)
{
    return sheaf_job.thread_level == SHMEM_THREAD_MULTIPLE;
}

/* Where this thread's answers are written. */
static uint64_t own_box(const char *call)
{
    static __thread uint64_t box;
    if (!box)
        box = sheaf_arena_allocate(sizeof(struct sheaf_lock_answer));
    if (!box)
        sheaf_fatal("SH131 %s: the job's control area is full", call);
    return box;
}

static struct sheaf_lock_answer ask(long *lock, unsigned what, const char *call)
{
    static __thread uint32_t number;
    uint64_t box = own_box(call), position = (uint64_t)sheaf_symmetric_position(lock);
    struct sheaf_lock_answer *answer = sheaf_arena_at(box);
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_LOCK, lock, sheaf_lock_describe);
    uint32_t now, sleepers = 0;
    wait.position = position;
    wait.bears_deaths = true;
    number = number + 1 ? number + 1 : 1;
    struct sheaf_lock_call asked = {.lock = position, .box = box, .pe = sheaf_job.pe, .what = what,
                                    .number = number};
    sheaf_agent_lock(&asked);
    while ((now = sheaf_load_acquire(&answer->number)) != number)
        sheaf_wait_turn(&answer->number, &sleepers, now, &wait);
    sheaf_wait_done(&wait);
    return *answer;
}

static void hold(long *lock, const struct sheaf_lock_answer *answer)
{
    sheaf_locks_set_origin(lock, answer->from >= 0 ? SHEAF_LOCK_FROM(answer->from)
                                                   : SHEAF_LOCK_FROM_NOBODY);
    sheaf_record_lock((uint64_t)sheaf_symmetric_position(lock));
}

static void set_in_log(long *lock, const char *call)
{
    if (sheaf_locks_origin_is_wrong(lock))
        sheaf_lock_refuse_value(lock, call);
    if (sheaf_locks_origin(lock) != 0 && !has_threads())
        sheaf_fatal("SH119 %s: this PE holds the lock at %p already and would wait for itself", call,
                    (void *)lock);
    struct sheaf_lock_answer answer = ask(lock, SHEAF_LOCK_SET, call);
    hold(lock, &answer);
}

static int test_in_log(long *lock, const char *call)
{
    struct sheaf_lock_answer answer = ask(lock, SHEAF_LOCK_TEST, call);
    if (answer.is_refused) {
        sheaf_wait_polled();
        return 1;
    }
    hold(lock, &answer);
    return 0;
}

static void clear_in_log(long *lock, const char *call)
{
    if (sheaf_locks_origin(lock) == 0)
        sheaf_fatal("SH119 %s: this PE does not hold the lock at %p", call, (void *)lock);
    sheaf_quiet_of_living();
    sheaf_record_unlock((uint64_t)sheaf_symmetric_position(lock));
    sheaf_locks_set_origin(lock, 0);
    struct sheaf_lock_call asked = {.lock = (uint64_t)sheaf_symmetric_position(lock), .pe = sheaf_job.pe,
                                    .what = SHEAF_LOCK_CLEAR};
    sheaf_agent_lock(&asked);
}

const struct sheaf_lock_kind sheaf_locks_in_log = {set_in_log, test_in_log, clear_in_log};
