/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The memory spaces of this PE: segments beside data and heap, each shared by the members of a team. This
 * file finds the space that an address lies in, and the PEs that have a copy. core/space.h creates spaces
 * and allocates their memory.
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

/* segment.length is written after all other fields, and read before them. */
struct sheaf_space {
    struct sheaf_segment segment; /* memory for blocks; length 0: unused entry. Any thread reads it */
    struct sheaf_team *team;      /* the space's own, with the members of the program's team */
    struct sheaf_space_members members;
    bool by_network;              /* atomic operations on its objects are the network's */
    uint64_t *addresses;          /* by rank: where each member's copy begins in that PE's address space */
    struct sheaf_guarded blocks;  /* protected by sheaf_space_lock */
    struct sheaf_space_map map;
};

/* A space has the same index on all members: sheaf_symmetric_position. */
extern struct sheaf_space sheaf_spaces[SHEAF_MOST_SPACES];

/* One past the highest index that was ever used: 0 in a program without spaces. */
extern unsigned sheaf_space_count;

/* The space that contains the whole range, or NULL. From any thread. */
struct sheaf_space *sheaf_space_find(const void *local, size_t bytes);

static inline struct sheaf_space *sheaf_space_of(const void *local)
{
    return sheaf_unlikely(sheaf_load_acquire(&sheaf_space_count)) ? sheaf_space_find(local, 1) : NULL;
}

/* The PE's rank among the members, or -1. */
int sheaf_space_member_rank(const struct sheaf_space_members *members, int pe);
static inline int sheaf_space_rank_of(const struct sheaf_space *space, int pe)
{
    return sheaf_space_member_rank(&space->members, pe);
}

/* Whether local lies in a space of which pe is no member; text: the message about it. */
bool sheaf_space_is_nonmember(const void *local, int pe, char *text, size_t size);

/* Ends the program with that message. */
void sheaf_space_require_member_now(const void *local, int pe, const char *call);
static inline void sheaf_space_require_member(const void *local, int pe, const char *call)
{
    if (sheaf_unlikely(sheaf_load_acquire(&sheaf_space_count)))
        sheaf_space_require_member_now(local, pe, call);
}

/* The freed blocks of all spaces; protected by sheaf_space_lock. */
extern struct sheaf_freed_list sheaf_space_freed;

/* The allocated block that contains address: its first byte and size. False when there is none, and when
 * the calling thread or another is in the middle of an allocation. */
bool sheaf_space_try_find_block(const void *address, void **start, size_t *size);

/* The blocks around an address of the space; false likewise. */
bool sheaf_space_look_around(const struct sheaf_space *space, const void *address,
                             struct sheaf_around *around);

/* Finds bytes of a space that belong to no block and have been written. */
bool sheaf_space_find_damage(bool all, struct sheaf_guard_damage *damage);

/* For the engine: struct sheaf_engine_job. */
bool sheaf_space_holds(uintptr_t address, uint64_t bytes);
uint64_t sheaf_space_address(int pe, const void *local);
unsigned sheaf_space_index(const void *local);

/* The way back: this PE's address of what pe has at address; NULL where that is in no space of both. */
void *sheaf_space_local(int pe, uint64_t address);

/* The lock of the allocators. try returns false where the lock stays taken for a while. */
void sheaf_space_lock(void);
bool sheaf_space_try_lock(void);
void sheaf_space_unlock(void);

#endif
