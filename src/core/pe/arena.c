/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See arena.h. The sizes of blocks are powers of two. Released blocks are in a list for each size, linked
 * through their first word.
 */
#include "core/pe/arena.h"

#include "base/atomic.h"
#include "base/os/os.h"
#include "base/times.h"
#include "survive/interface/survival.h"
#include "core/pe/job.h"

#include <string.h>

#define SMALLEST_SHIFT 8
#define CLASSES        24

static int class_of(size_t bytes)
{
    int class = 0;
    while (class < CLASSES && ((size_t)1 << (class + SMALLEST_SHIFT)) < bytes)
        class++;
    return class;
}

void *sheaf_arena_at(uint64_t offset)
{
    return (char *)sheaf_job.control + offset;
}

/* The lock's word: 0, or the name of the process that holds the lock, and the bit SLEEPS where some
 * process sleeps on it. The data that the lock protects is consistent after every store of the holder,
 * since the holder may die after any of them. */
#define SLEEPS (1U << 31)

/* Takes the lock if it is free, or if its holder has died. Returns false where it is held, with its
 * word in *now. */
static bool try_lock(uint32_t *lock, uint32_t *now, uint32_t wanted)
{
    *now = 0;
    if (__atomic_compare_exchange_n(lock, now, wanted, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return true;
    return sheaf_survival->is_gone(*now & ~SLEEPS) &&
           __atomic_compare_exchange_n(lock, now, wanted | SLEEPS, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

void sheaf_arena_lock(void)
{
    uint32_t *lock = &sheaf_job.control->arena_lock, wanted = sheaf_job.lock_name, now;
    while (!try_lock(lock, &now, wanted)) {
        wanted |= SLEEPS;
        if (now == 0 || (!(now & SLEEPS) &&
                         !__atomic_compare_exchange_n(lock, &now, now | SLEEPS, false, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)))
            continue;
        sheaf_os_futex_wait(lock, now | SLEEPS,
                            sheaf_survival->members_stay ? 0 : sheaf_times.arena_lock_look);
    }
}

void sheaf_arena_unlock(void)
{
    uint32_t *lock = &sheaf_job.control->arena_lock;
    if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) & SLEEPS)
        sheaf_os_futex_wake(lock);
}

static uint64_t take_block(struct sheaf_control *control, int class)
{
    uint64_t offset = control->arena_free[class];
    size_t size = (size_t)1 << (class + SMALLEST_SHIFT);
    if (offset != 0) {
        control->arena_free[class] = *(uint64_t *)sheaf_arena_at(offset);
        return offset;
    }
    if (control->arena_size - control->arena_used < size)
        return 0;
    offset = control->arena_offset + control->arena_used;
    control->arena_used += size;
    return offset;
}

uint64_t sheaf_arena_allocate(size_t bytes)
{
    struct sheaf_control *control = sheaf_job.control;
    int class = class_of(bytes);
    if (class == CLASSES)
        return 0;
    sheaf_arena_lock();
    uint64_t fresh = control->arena_used;
    uint64_t offset = take_block(control, class);
    bool is_fresh = control->arena_used != fresh;
    sheaf_arena_unlock();
    if (offset && !is_fresh)
        memset(sheaf_arena_at(offset), 0, bytes);
    return offset;
}

void sheaf_arena_release(uint64_t offset, size_t bytes)
{
    struct sheaf_control *control = sheaf_job.control;
    int class = class_of(bytes);
    if (offset == 0)
        return;
    sheaf_arena_lock();
    *(uint64_t *)sheaf_arena_at(offset) = control->arena_free[class];
    /* Stored after the link: the list is consistent if this process dies here. */
    sheaf_store_release(&control->arena_free[class], offset);
    sheaf_arena_unlock();
}
