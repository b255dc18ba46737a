/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of the symmetric heap: what was freed has no past, and a block is told by the line that
 * allocated it.
 */
#include "races/internal.h"

#include <stdio.h>
#include <stdlib.h>

struct block {
    uintptr_t start;
    size_t bytes;
    uintptr_t caller;
};

static struct block *blocks;
static size_t block_count, block_room;

void races_memory_made(const struct races_call *call, const void *start, size_t bytes)
{
    if (!start || !races.is_up)
        return;
    bool is_locked = races_lock();
    if (block_count == block_room) {
        size_t room = block_room ? 2 * block_room : 256;
        struct block *more = realloc(blocks, room * sizeof *blocks);
        if (more) {
            blocks = more;
            block_room = room;
        }
    }
    if (block_count < block_room)
        blocks[block_count++] = (struct block){(uintptr_t)start, bytes, call->caller};
    races_unlock(is_locked);
}

static struct block *block_of(const void *start)
{
    for (size_t i = 0; i < block_count; i++)
        if (blocks[i].start == (uintptr_t)start)
            return &blocks[i];
    return NULL;
}

static void drop(const void *start)
{
    struct block *block = block_of(start);
    if (block)
        *block = blocks[--block_count];
}

/* What is still on its way to the block races with whatever is there next. */
static void forget(const struct races_call *call, const void *start)
{
    const struct block *block = block_of(start);
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
    drop(start);
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
        drop(old);
        races_unlock(is_locked);
    }
    races_memory_made(call, start, bytes);
}

void races_block_text(uintptr_t address, char *text, size_t size)
{
    char place[128];
    snprintf(text, size, "memory of the symmetric heap");
    for (size_t i = 0; i < block_count; i++)
        if (address - blocks[i].start < blocks[i].bytes) {
            races_site_place(blocks[i].caller - 1, place, sizeof place);
            snprintf(text, size, "byte %zu of a block of %zu bytes allocated at %s",
                     (size_t)(address - blocks[i].start), blocks[i].bytes, place);
            return;
        }
}
