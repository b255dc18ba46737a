/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See lock_internal.h. The home PE's copy is two 32-bit halves: the next ticket to be drawn, and the
 * ticket that is served. They are equal when the lock is free. Waiters are served in the order of their
 * tickets, near or far.
 */
#include "core/lock_internal.h"

#include "base/log.h"
#include "core/access/checked.h"
#include "core/pe/job.h"
#include "core/pe/record.h"
#include "core/memory/symmetric.h"
#include "core/access/order.h"
#include "core/pe/wait.h"

#include <stdbool.h>
#include <stdint.h>

struct tickets {
    uint32_t next;
    uint32_t served;
};
_Static_assert(sizeof(long) == sizeof(struct tickets), "a lock is a 64-bit long");

static uint32_t update_half(enum sheaf_amo operation, uint32_t *half, uint32_t operand, uint32_t compare,
                            int home, const char *call)
{
    struct sheaf_amo_call amo = {operation, sizeof *half, half, operand, compare, false};
    return (uint32_t)sheaf_checked_amo_fetch(&amo, home, SHMEM_CTX_DEFAULT, call);
}

static uint32_t read_half(uint32_t *half, int home, const char *call)
{
    return update_half(SHEAF_AMO_FETCH, half, 0, 0, home, call);
}

/* The locks that this PE holds, which the tickets do not show; only where arguments are checked. */
#define MOST_KNOWN 256
static const long *held[MOST_KNOWN];
static int held_count;

static bool is_watched(void)
{
    return sheaf_job_checks_args() && sheaf_job.thread_level != SHMEM_THREAD_MULTIPLE;
}

static int index_of(const long *lock)
{
    int at = 0;
    while (at < held_count && held[at] != lock)
        at++;
    return at;
}

static void record_taken(const long *lock)
{
    sheaf_record_lock((uint64_t)sheaf_symmetric_position(lock));
    if (is_watched() && held_count < MOST_KNOWN)
        held[held_count++] = lock;
}

static void record_cleared(const long *lock)
{
    sheaf_record_unlock((uint64_t)sheaf_symmetric_position(lock));
    int at = index_of(lock);
    if (at < held_count)
        held[at] = held[--held_count];
}

/* A PE has at most one ticket for each of its threads, which are fewer than this. */
#define MOST_THREADS 4096

/* Whether more waiters are before this one than the job can have: then the word was never set to 0. */
static bool has_too_many_before(uint32_t before)
{
    uint32_t threads = sheaf_job.thread_level == SHMEM_THREAD_MULTIPLE ? MOST_THREADS : 1;
    return before / threads >= (uint32_t)sheaf_job.npes;
}

static void set_ticket(long *lock, const char *call)
{
    int home = sheaf_lock_home(lock);
    struct tickets *tickets = (struct tickets *)lock;
    if (is_watched() && index_of(lock) < held_count)
        sheaf_fatal("SH119 %s: this PE holds the lock at %p already and would wait for itself", call,
                    (void *)lock);
    uint32_t mine = update_half(SHEAF_AMO_ADD, &tickets->next, 1, 0, home, call);
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_LOCK, lock, sheaf_lock_describe);
    wait.position = (uint64_t)sheaf_symmetric_position(lock);
    uint32_t served = read_half(&tickets->served, home, call);
    if (has_too_many_before(mine - served))
        sheaf_lock_refuse_value(lock, call);
    for (; served != mine; served = read_half(&tickets->served, home, call))
        sheaf_wait_step(&wait);
    sheaf_wait_done(&wait);
    record_taken(lock);
}

/* When no ticket is drawn between the two steps, the lock was free all the time. */
static int test_ticket(long *lock, const char *call)
{
    int home = sheaf_lock_home(lock);
    struct tickets *tickets = (struct tickets *)lock;
    uint32_t served = read_half(&tickets->served, home, call);
    uint32_t next = update_half(SHEAF_AMO_COMPARE_SWAP, &tickets->next, served + 1, served, home, call);
    if (next == served) {
        record_taken(lock);
        return 0;
    }
    /* Unless the waiters have been served meanwhile. */
    if (has_too_many_before(next - served - 1) && read_half(&tickets->served, home, call) == served)
        sheaf_lock_refuse_value(lock, call);
    sheaf_wait_polled();
    return 1;
}

static void clear_ticket(long *lock, const char *call)
{
    int home = sheaf_lock_home(lock);
    struct tickets *tickets = (struct tickets *)lock;
    uint32_t served = read_half(&tickets->served, home, call);
    if (served == read_half(&tickets->next, home, call))
        sheaf_fatal("SH119 %s: nobody holds the lock at %p", call, (void *)lock);
    record_cleared(lock);
    sheaf_quiet();
    update_half(SHEAF_AMO_ADD, &tickets->served, 1, 0, home, call);
}

const struct sheaf_lock_kind sheaf_lock_tickets = {set_ticket, test_ticket, clear_ticket};
