/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See lock_internal.h. The home PE's copy is two 32-bit halves: the next ticket to be drawn and the
 * ticket that is served; equal when nobody holds the lock. First come, first served, whatever the
 * waiters' distance.
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

static uint32_t update(enum sheaf_amo operation, uint32_t *half, uint32_t operand, uint32_t compare,
                       int home, const char *call)
{
    struct sheaf_amo_call amo = {operation, sizeof *half, half, operand, compare, false};
    return (uint32_t)sheaf_checked_amo_fetch(&amo, home, SHMEM_CTX_DEFAULT, call);
}

static uint32_t read_half(uint32_t *half, int home, const char *call)
{
    return update(SHEAF_AMO_FETCH, half, 0, 0, home, call);
}

/* Where arguments are checked: the locks that this PE holds, which the tickets do not tell. */
#define MOST_KNOWN 256
static const long *held[MOST_KNOWN];
static int held_count;

static bool is_watched(void)
{
    return sheaf_job_checks_args() && sheaf_job.thread_level != SHMEM_THREAD_MULTIPLE;
}

static int place_of(const long *lock)
{
    int at = 0;
    while (at < held_count && held[at] != lock)
        at++;
    return at;
}

static void note_taken(const long *lock)
{
    sheaf_record_lock((uint64_t)sheaf_symmetric_position(lock));
    if (is_watched() && held_count < MOST_KNOWN)
        held[held_count++] = lock;
}

static void note_cleared(const long *lock)
{
    sheaf_record_unlock((uint64_t)sheaf_symmetric_position(lock));
    int at = place_of(lock);
    if (at < held_count)
        held[at] = held[--held_count];
}

/* A PE has a ticket for each of its threads, which are fewer than these. */
#define MOST_THREADS 4096

/* So many wait before this one: of a word that was never 0 more than there are PEs. */
static bool are_too_many(uint32_t before)
{
    uint32_t threads = sheaf_job.thread_level == SHMEM_THREAD_MULTIPLE ? MOST_THREADS : 1;
    return before / threads >= (uint32_t)sheaf_job.npes;
}

static void set_ticket(long *lock, const char *call)
{
    int home = sheaf_lock_home(lock);
    struct tickets *tickets = (struct tickets *)lock;
    if (is_watched() && place_of(lock) < held_count)
        sheaf_fatal("SH119 %s: this PE holds the lock at %p already and would wait for itself", call,
                    (void *)lock);
    uint32_t mine = update(SHEAF_AMO_ADD, &tickets->next, 1, 0, home, call);
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_LOCK, lock, sheaf_lock_describe);
    wait.position = (uint64_t)sheaf_symmetric_position(lock);
    uint32_t served = read_half(&tickets->served, home, call);
    if (are_too_many(mine - served))
        sheaf_lock_refuse_value(lock, call);
    for (; served != mine; served = read_half(&tickets->served, home, call))
        sheaf_wait_step(&wait);
    sheaf_wait_done(&wait);
    note_taken(lock);
}

/* When no ticket is drawn between the two steps, the lock was free all the while. */
static int test_ticket(long *lock, const char *call)
{
    int home = sheaf_lock_home(lock);
    struct tickets *tickets = (struct tickets *)lock;
    uint32_t served = read_half(&tickets->served, home, call);
    uint32_t next = update(SHEAF_AMO_COMPARE_SWAP, &tickets->next, served + 1, served, home, call);
    if (next == served) {
        note_taken(lock);
        return 0;
    }
    /* Or they have been served since. */
    if (are_too_many(next - served - 1) && read_half(&tickets->served, home, call) == served)
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
    note_cleared(lock);
    sheaf_quiet();
    update(SHEAF_AMO_ADD, &tickets->served, 1, 0, home, call);
}

const struct sheaf_lock_kind sheaf_lock_tickets = {set_ticket, test_ticket, clear_ticket};
