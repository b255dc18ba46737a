/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that allocate and free symmetric memory: what was freed has no past.
 */
#include "races/internal.h"

void races_memory_made(const struct races_call *call, const void *start, size_t bytes)
{
    if (!start || !races.is_up)
        return;
    bool is_locked = races_lock();
    races_block_add(start, bytes, call->caller);
    races_unlock(is_locked);
}

/* An operation that is still under way to the block races with the next use of that memory. */
static void forget(const struct races_call *call, const void *start)
{
    const struct races_block *block = races_block_of(start);
    if (!block)
        return;
    races_check_range(races_self, block->start, block->bytes, races_site_call(call->name, call->caller));
    races_forget_range(block->start, block->bytes);
}

static bool is_known(const void *start)
{
    return start && races.is_up && races_self;
}

void races_memory_gone(const struct races_call *call, const void *start)
{
    if (!is_known(start))
        return;
    bool is_locked = races_lock();
    forget(call, start);
    races_block_drop(start);
    races_unlock(is_locked);
}

void races_memory_moving(const struct races_call *call, const void *start)
{
    if (!is_known(start))
        return;
    bool is_locked = races_lock();
    forget(call, start);
    races_unlock(is_locked);
}

void races_memory_moved(const struct races_call *call, const void *old, const void *start, size_t bytes)
{
    if (!start && bytes)
        return; /* the old one stays */
    if (is_known(old)) {
        bool is_locked = races_lock();
        races_block_drop(old);
        races_unlock(is_locked);
    }
    races_memory_made(call, start, bytes);
}
