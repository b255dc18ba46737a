/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory spaces, of this PE: segments beside data and heap, each of the members of a team. Which one an
 * address lies in, and which PEs have a copy. core/space.h makes them and hands out their memory.
 */
#ifndef SHEAF_CORE_MEMORY_SPACE_H
#define SHEAF_CORE_MEMORY_SPACE_H

#include "base/atomic.h"
#include "base/segment.h"
#include "core/memory/guard.h"
#include "image/space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sheaf_team;

/* Rank r is world PE start + r * stride, or table[r] where that is set: as the team has them. */
struct sheaf_space_members {
    int size, start, stride;
    const int *table;
};

/* Each field but segment.length is written before that and read after it. */
struct sheaf_space {
    struct sheaf_segment segment; /* what may be handed out; length 0: this is none. Read from any thread */
    struct sheaf_team *team;      /* its own, of the same members as the program's */
    struct sheaf_space_members members;
    uint64_t *addresses;          /* by rank: where each member's copy begins in that PE's address space */
    struct sheaf_guarded blocks;  /* under sheaf_space_lock */
    struct sheaf_space_map map;
};

/* Its place here is the same on all members: sheaf_symmetric_position. */
extern struct sheaf_space sheaf_spaces[SHEAF_MOST_SPACES];

/* One past the highest place that was ever used: 0 in a program that has none. */
extern unsigned sheaf_space_count;

/* The one that all of the range lies in, or NULL. From any thread. */
struct sheaf_space *sheaf_space_find(const void *local, size_t bytes);

static inline struct sheaf_space *sheaf_space_of(const void *local)
{
    return sheaf_unlikely(sheaf_load_acquire(&sheaf_space_count)) ? sheaf_space_find(local, 1) : NULL;
}

/* The PE's rank among the members, or -1. */
int sheaf_space_rank_of(const struct sheaf_space *space, int pe);

/* Whether local lies in a space of which pe is no member: what a message says of that. */
bool sheaf_space_is_stranger(const void *local, int pe, char *text, size_t size);

/* Ends the program with a line that says so then. */
void sheaf_space_require_member_now(const void *local, int pe, const char *call);
static inline void sheaf_space_require_member(const void *local, int pe, const char *call)
{
    if (sheaf_unlikely(sheaf_load_acquire(&sheaf_space_count)))
        sheaf_space_require_member_now(local, pe, call);
}

/* Blocks of all spaces that were freed; under sheaf_space_lock. */
extern struct sheaf_freed_list sheaf_space_freed;

/* The allocated block that contains address: its first byte and size. False when there is none, and when
 * the calling thread or another is in the middle of an allocation. */
bool sheaf_space_try_find_block(const void *address, void **start, size_t *size);

/* What lies around an address of the space; false likewise. */
bool sheaf_space_look_around(const struct sheaf_space *space, const void *address,
                             struct sheaf_around *around);

/* Bytes of a space that no block holds and that have been written. */
bool sheaf_space_find_damage(bool all, struct sheaf_guard_damage *damage);

/* For the engine: struct sheaf_engine_job. */
bool sheaf_space_holds(uintptr_t address, uint64_t bytes);
uint64_t sheaf_space_address(int pe, const void *local);

/* For the allocators; try: whether it was free within a moment. */
void sheaf_space_lock(void);
bool sheaf_space_try_lock(void);
void sheaf_space_unlock(void);

#endif
