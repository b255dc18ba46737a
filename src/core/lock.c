/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See lock.h. A lock variable is two 32-bit halves. The first half is used on the lock's home PE alone,
 * and names the last node of the queue. The second half is used on each PE, and names the node with which
 * that PE holds the lock. Nodes lie in the control area, one cache line each, so that each waiter polls
 * its own memory.
 */
#include "core/lock.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/pe/arena.h"
#include "core/pe/job.h"
#include "core/pe/record.h"
#include "core/lock_internal.h"
#include "core/access/order.h"
#include "core/memory/check.h"
#include "core/memory/symmetric.h"
#include "core/pe/wait.h"
#include "survive/interface/survival.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#define NODE_BITS 12
#define NODES     (1u << NODE_BITS) /* locks held or waited for by one PE at a time */

struct node {
    _Alignas(SHEAF_CACHE_LINE) uint32_t next; /* name of the next waiter, written by it */
    uint32_t granted;                         /* written by the previous holder */
    uint32_t sleepers;
    ptrdiff_t position;                       /* of the lock that it is queued for */
};

static struct node *nodes; /* this PE's */
static uint32_t free_nodes[NODES], free_count;
static pthread_mutex_t free_lock = PTHREAD_MUTEX_INITIALIZER;

/* The name of a node is its PE and index, plus one, so that 0 names none. */
static uint32_t name_of(uint32_t index)
{
    return ((uint32_t)sheaf_job.pe << NODE_BITS | index) + 1;
}

static struct node *node_named(uint32_t name)
{
    uint32_t pe = (name - 1) >> NODE_BITS, index = (name - 1) & (NODES - 1);
    if ((int)pe == sheaf_job.pe)
        return &nodes[index];
    const struct sheaf_pe *owner = sheaf_control_pe(sheaf_job.control, sheaf_boot_slot_of((int)pe));
    return (struct node *)sheaf_arena_at(owner->lock_nodes) + index;
}

/* Below this thread level one thread at a time is in the library. A mutex would be four of the seven
 * locked instructions of an uncontended set and clear. */
static bool has_threads(void)
{
    return sheaf_job.thread_level == SHMEM_THREAD_MULTIPLE;
}

static uint32_t take_node(const long *lock, const char *call)
{
    if (has_threads())
        pthread_mutex_lock(&free_lock);
    if (free_count == 0)
        sheaf_fatal("SH131 %s: this PE holds or waits for %u locks already, the most Sheaf can queue",
                    call, NODES);
    uint32_t index = free_nodes[--free_count];
    if (has_threads())
        pthread_mutex_unlock(&free_lock);
    nodes[index].next = nodes[index].granted = 0;
    sheaf_store_relaxed(&nodes[index].position, sheaf_symmetric_position(lock));
    return index;
}

static void return_node(uint32_t index)
{
    sheaf_store_relaxed(&nodes[index].position, 0);
    if (has_threads())
        pthread_mutex_lock(&free_lock);
    free_nodes[free_count++] = index;
    if (has_threads())
        pthread_mutex_unlock(&free_lock);
}

/* The load orders this hold after the accesses of a thread of this PE that released the lock before.
 * The queue orders them too, but possibly through other processes, which a race checker cannot follow. */
static void hold_lock(long *lock, uint32_t index)
{
    uint32_t *held = &((struct lock_word *)lock)->held;
    (void)sheaf_load_acquire(held);
    sheaf_store_relaxed(held, index + 1);
    sheaf_record_lock((uint64_t)sheaf_symmetric_position(lock));
}

/* Whether this PE's node with that index is queued for the lock. */
static bool is_node_of(uint32_t index, const long *lock)
{
    return sheaf_load_relaxed(&nodes[index].position) == sheaf_symmetric_position(lock);
}

/* Whether the name is that of a node queued for this lock. The word of a lock that was never set to 0
 * may have any value. */
static bool is_queued(uint32_t name, const long *lock)
{
    int pe = (int)((name - 1) >> NODE_BITS);
    if (pe >= sheaf_job.npes || sheaf_boot_node_of(pe) != sheaf_boot.node)
        return false;
    return sheaf_load_relaxed(&node_named(name)->position) == sheaf_symmetric_position(lock);
}

/* With several threads in the library the holder may be another thread, which may release the lock at
 * any time. */
static void refuse_own_lock(const long *lock, const char *call)
{
    uint32_t held = sheaf_load_relaxed(&((const struct lock_word *)lock)->held);
    if (has_threads() || held == 0)
        return;
    if (held > NODES || !is_node_of(held - 1, lock))
        sheaf_lock_refuse_value(lock, call);
    sheaf_fatal("SH119 %s: this PE holds the lock at %p already and would wait for itself", call,
                (const void *)lock);
}

static void set_queued(long *lock, const char *call)
{
    struct lock_word *home = sheaf_lock_home_word(lock, call);
    uint32_t index = take_node(lock, call);
    struct node *mine = &nodes[index];
    uint32_t before = __atomic_exchange_n(&home->tail, name_of(index), __ATOMIC_ACQ_REL);
    if (before != 0) {
        refuse_own_lock(lock, call);
        if (!is_queued(before, lock)) /* a node stays queued while it is the last */
            sheaf_lock_refuse_value(lock, call);
        struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_LOCK, lock, sheaf_lock_describe);
        wait.position = (uint64_t)sheaf_symmetric_position(lock);
        sheaf_store_release(&node_named(before)->next, name_of(index));
        sheaf_wait_word(&mine->granted, &mine->sleepers, 0, &wait);
        sheaf_wait_done(&wait);
    }
    hold_lock(lock, index);
}

/* Whether the word keeps a value that names no queued node. It looks several times, since a node may
 * have been queued again in between. */
static bool is_invalid_word(struct lock_word *home, uint32_t name, const long *lock)
{
    for (int look = 0; look < 3; look++)
        if (is_queued(name, lock) || sheaf_load_acquire(&home->tail) != name)
            return false;
    return true;
}

static int test_queued(long *lock, const char *call)
{
    struct lock_word *home = sheaf_lock_home_word(lock, call);
    uint32_t index = take_node(lock, call), nobody = 0;
    if (!__atomic_compare_exchange_n(&home->tail, &nobody, name_of(index), false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED)) {
        return_node(index);
        if (sheaf_unlikely(is_invalid_word(home, nobody, lock)))
            sheaf_lock_refuse_value(lock, call);
        sheaf_wait_polled();
        return 1;
    }
    hold_lock(lock, index);
    return 0;
}

/* The next waiter has entered the queue and is about to store its name here. */
static uint32_t wait_for_next(struct node *mine, long *lock)
{
    struct sheaf_wait wait = SHEAF_WAIT_FOR(SHEAF_WAIT_LOCK, lock, sheaf_lock_describe);
    uint32_t next;
    while ((next = sheaf_load_acquire(&mine->next)) == 0)
        sheaf_wait_step(&wait);
    sheaf_wait_done(&wait);
    return next;
}

static void clear_queued(long *lock, const char *call)
{
    struct lock_word *home = sheaf_lock_home_word(lock, call), *own = (struct lock_word *)lock;
    uint32_t held = sheaf_load_relaxed(&own->held);
    if (held == 0 || held > NODES || !is_node_of(held - 1, lock))
        sheaf_fatal("SH119 %s: this PE does not hold the lock at %p", call, (void *)lock);

    struct node *mine = &nodes[held - 1];
    uint32_t name = name_of(held - 1);
    sheaf_quiet();
    sheaf_record_unlock((uint64_t)sheaf_symmetric_position(lock));
    sheaf_store_release(&own->held, 0);
    if (sheaf_load_acquire(&mine->next) != 0 ||
        !__atomic_compare_exchange_n(&home->tail, &name, 0, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED)) {
        struct node *next = node_named(wait_for_next(mine, lock));
        sheaf_store_release(&next->granted, 1);
        sheaf_wait_wake(&next->granted, &next->sleepers);
    }
    return_node(held - 1);
}

static const struct sheaf_lock_kind queues = {set_queued, test_queued, clear_queued}, *kind;

static int make_queues(void)
{
    if (!nodes && sheaf_job.control) {
        uint64_t offset = sheaf_arena_allocate(NODES * sizeof *nodes);
        sheaf_control_pe(sheaf_job.control, sheaf_boot.slot)->lock_nodes = offset;
        nodes = offset ? sheaf_arena_at(offset) : NULL;
    } else if (!nodes) {
        nodes = aligned_alloc(SHEAF_CACHE_LINE, NODES * sizeof *nodes);
    }
    for (free_count = 0; free_count < NODES; free_count++)
        free_nodes[free_count] = NODES - 1 - free_count;
    if (!nodes)
        sheaf_error("SH301 no memory for the queues of locks");
    return nodes ? 0 : -1;
}

int sheaf_lock_init(void)
{
    kind = sheaf_survival->locks ? sheaf_survival->locks : sheaf_network ? &sheaf_lock_tickets : &queues;
    return kind == &queues ? make_queues() : 0;
}

static void check_lock(const long *lock, const char *call)
{
    sheaf_job_require(call);
    sheaf_check_aligned(lock, sizeof *lock, call);
}

void sheaf_lock_set(long *lock, const char *call)
{
    check_lock(lock, call);
    kind->set(lock, call);
}

int sheaf_lock_test(long *lock, const char *call)
{
    check_lock(lock, call);
    return kind->test(lock, call);
}

void sheaf_lock_clear(long *lock, const char *call)
{
    check_lock(lock, call);
    kind->clear(lock, call);
}
