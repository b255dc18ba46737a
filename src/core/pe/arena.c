/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See arena.h. Blocks come in sizes that are powers of two; released ones are listed by size,
 * linked through their first word.
 */
#include "core/pe/arena.h"

#include "base/os/os.h"
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

/* 0: free, 1: taken, 2: taken and somebody sleeps. */
void sheaf_arena_lock(void)
{
    uint32_t *lock = &sheaf_job.control->arena_lock, state = 0;
    if (__atomic_compare_exchange_n(lock, &state, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE) != 0)
        sheaf_os_futex_wait(lock, 2, 0);
}

void sheaf_arena_unlock(void)
{
    uint32_t *lock = &sheaf_job.control->arena_lock;
    if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2)
        sheaf_os_futex_wake(lock);
}

static uint64_t take(struct sheaf_control *control, int class)
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
    uint64_t offset = take(control, class);
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
    control->arena_free[class] = offset;
    sheaf_arena_unlock();
}
