/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An allocator and its memory: the symmetric heap's (blocks.c) or a memory space's (space.h). It records
 * the call that allocated each block, and the calls that freed the last ones. With SHEAF_CHECK=memory it
 * is guarded: there are zones before and behind each block that the program must not write, and freed
 * blocks stay in a quarantine for a while before their memory is used again. The time in the quarantine
 * depends on the program's calls alone, so it is the same on every PE. One caller at a time.
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

/* The limits of the quarantine, in blocks and in bytes. A block larger than the second is freed at
 * once. */
#define SHEAF_GUARD_MOST_QUARANTINED  256
#define SHEAF_GUARD_QUARANTINE_BYTES ((size_t)64 << 20)

/* The bytes at either end of a quarantined block that are checked. */
#define SHEAF_GUARD_WATCHED ((size_t)64 << 10)

struct sheaf_guard;

struct sheaf_guarded {
    struct sheaf_heap *heap;   /* NULL: there is none */
    char *start;               /* offset 0 */
    struct sheaf_guard *guard; /* NULL: not guarded */
    struct sheaf_freed_list *freed;
};

/* Makes the allocator for bytes of memory at start. Returns 0, or -1 without memory for the
 * bookkeeping. */
int sheaf_guarded_init(struct sheaf_guarded *guarded, char *start, size_t bytes, bool is_guarded,
                       struct sheaf_freed_list *freed);
void sheaf_guarded_fini(struct sheaf_guarded *guarded);

/* The bytes of the zone behind a block. */
static inline size_t sheaf_guarded_zone(const struct sheaf_guarded *guarded)
{
    return sheaf_unlikely(guarded->guard != NULL) ? SHEAF_GUARD_ZONE : 0;
}

/* The state of an allocator: its blocks by offset, in memory that the caller frees, and its high-water
 * mark. list returns -1 without memory, and leaves quarantined blocks out. */
struct sheaf_block_list {
    struct sheaf_heap_block *blocks;
    size_t count, high_water;
};
int sheaf_guarded_list(const struct sheaf_guarded *guarded, struct sheaf_block_list *list);

/* Gives the allocator exactly these blocks. Returns -1, with nothing changed, where they do not fit. */
int sheaf_guarded_adopt(struct sheaf_guarded *guarded, const struct sheaf_block_list *list);

/* Frees all quarantined blocks, and brings the allocator into the state of one that has just adopted
 * the list of its blocks: the next block goes to the same offset on both. */
void sheaf_guarded_settle(struct sheaf_guarded *guarded);

/* Allocates a block for this thread's call, with its zone below end. Returns its offset, or
 * SHEAF_HEAP_FULL. */
size_t sheaf_guarded_allocate(struct sheaf_guarded *guarded, size_t size, size_t alignment, size_t end);

/* The size of the block that begins at offset, without its zone; 0 where none begins there. */
size_t sheaf_guarded_size(const struct sheaf_guarded *guarded, size_t offset);

/* Frees the block that begins at offset, for this thread's call. Returns the bytes that are free from
 * there on: 0 where the block goes to the quarantine. */
size_t sheaf_guarded_release(struct sheaf_guarded *guarded, size_t offset);

/* Resizes a block in place. Returns false where that is not possible. */
bool sheaf_guarded_resize(struct sheaf_guarded *guarded, size_t offset, size_t size, size_t end);

/* Finds the block that contains offset. */
bool sheaf_guarded_find(const struct sheaf_guarded *guarded, size_t offset, size_t *first, size_t *size);

/* The blocks around an address. */
struct sheaf_around {
    const char *start;                     /* offset 0 */
    size_t offset;                         /* of the address */
    struct sheaf_heap_block before, after; /* size 0: none */
    struct sheaf_freed freed; /* size 0: the address lies in no block that was freed lately */
};
void sheaf_guarded_look_around(const struct sheaf_guarded *guarded, size_t offset,
                               struct sheaf_around *around);

/* Bytes that belong to no block and have been written, in one zone or one quarantined block: from the
 * first to the last. */
struct sheaf_guard_damage {
    const char *byte; /* the first */
    size_t count;
    struct sheaf_call since; /* the last call in which the bytes were intact; no name: not checked before */
};

/* Checks some of the blocks, and the next ones in the next call; with all, all remaining ones. */
bool sheaf_guarded_find_damage(const struct sheaf_guarded *guarded, bool all,
                               struct sheaf_guard_damage *damage);

#endif
