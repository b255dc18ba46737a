/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An allocator and the memory that it hands out: the symmetric heap's (blocks.c) or a memory space's
 * (space.h). It knows who allocated each block, and who freed the last ones. With SHEAF_CHECK=memory it
 * is guarded: before and behind each block lie bytes that nobody may write, and freed blocks are kept away
 * from new ones for a while. Which block is kept for how long depends on the program's calls alone, so
 * that it is the same on every PE. One caller at a time.
 */
#ifndef SHEAF_CORE_MEMORY_GUARD_H
#define SHEAF_CORE_MEMORY_GUARD_H

#include "base/atomic.h"
#include "core/memory/freed.h"
#include "core/pe/call.h"
#include "image/heap/heap.h"

#include <stdbool.h>
#include <stddef.h>

#define SHEAF_GUARD_ZONE 64 /* bytes before and behind a block */

/* Freed blocks are kept away while they are so many and so large together; a larger one is not. */
#define SHEAF_GUARD_MOST_KEPT  256
#define SHEAF_GUARD_BYTES_KEPT ((size_t)64 << 20)

/* Of a kept block so many bytes at either end are watched. */
#define SHEAF_GUARD_WATCHED ((size_t)64 << 10)

struct sheaf_guard;

struct sheaf_guarded {
    struct sheaf_heap *heap;   /* NULL: there is none */
    char *start;               /* offset 0 */
    struct sheaf_guard *guard; /* NULL: nothing is guarded */
    struct sheaf_freed_list *freed;
};

/* In memory of so many bytes at start. Returns 0, or -1 without memory for the bookkeeping. */
int sheaf_guarded_init(struct sheaf_guarded *guarded, char *start, size_t bytes, bool is_guarded,
                       struct sheaf_freed_list *freed);
void sheaf_guarded_fini(struct sheaf_guarded *guarded);

/* Bytes behind a block that are not its own. */
static inline size_t sheaf_guarded_zone(const struct sheaf_guarded *guarded)
{
    return sheaf_unlikely(guarded->guard != NULL) ? SHEAF_GUARD_ZONE : 0;
}

/* What an allocator has: blocks by offset, in memory that the caller frees, and its high water. -1 without
 * memory. Blocks that are kept away are left out. */
struct sheaf_block_list {
    struct sheaf_heap_block *blocks;
    size_t count, high_water;
};
int sheaf_guarded_list(const struct sheaf_guarded *guarded, struct sheaf_block_list *list);

/* It has these from now on, and nothing else. -1, and nothing changed, where they do not fit. */
int sheaf_guarded_adopt(struct sheaf_guarded *guarded, const struct sheaf_block_list *list);

/* Blocks that are kept away are free from now on, and the next block goes where it goes on a PE that has
 * just adopted the list of these. */
void sheaf_guarded_settle(struct sheaf_guarded *guarded);

/* A block of the call that this thread is in, with its zone below end. Its offset, or SHEAF_HEAP_FULL. */
size_t sheaf_guarded_allocate(struct sheaf_guarded *guarded, size_t size, size_t alignment, size_t end);

/* Of the block that begins there, without its zone; 0: none does. */
size_t sheaf_guarded_size(const struct sheaf_guarded *guarded, size_t offset);

/* Frees the block that begins there, for the call that this thread is in. Returns how many bytes from there
 * on are free: 0 where they are kept away. */
size_t sheaf_guarded_release(struct sheaf_guarded *guarded, size_t offset);

/* Makes a block longer or shorter where it is: false where it cannot. */
bool sheaf_guarded_resize(struct sheaf_guarded *guarded, size_t offset, size_t size, size_t end);

/* The block that holds offset. */
bool sheaf_guarded_find(const struct sheaf_guarded *guarded, size_t offset, size_t *first, size_t *size);

/* What lies around an address. */
struct sheaf_around {
    const char *start;                     /* offset 0 */
    size_t offset;                         /* of the address */
    struct sheaf_heap_block before, after; /* size 0: none */
    struct sheaf_freed freed; /* size 0: the address lies in no block that was freed lately */
};
void sheaf_guarded_look_around(const struct sheaf_guarded *guarded, size_t offset,
                               struct sheaf_around *around);

/* Bytes that no block holds and that have been written: how many from the first to the last, in one piece
 * that should have been left alone. */
struct sheaf_guard_damage {
    const char *byte; /* the first */
    size_t count;
    struct sheaf_call since; /* it was sound in that call; no name: it was never looked at */
};

/* Looks at a part of the blocks, and at the next part next time, or at all that are left. */
bool sheaf_guarded_find_damage(const struct sheaf_guarded *guarded, bool all,
                               struct sheaf_guard_damage *damage);

#endif
