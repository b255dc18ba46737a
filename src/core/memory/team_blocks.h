/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of team memory that this PE has a part in. A block lies at the same offset on each of its members,
 * and on the other PEs there may be another block there. So every PE has a list of its own, in private
 * memory; team_allocation.h above finds an offset that is free on all members. From any thread.
 */
#ifndef SHEAF_CORE_MEMORY_TEAM_BLOCKS_H
#define SHEAF_CORE_MEMORY_TEAM_BLOCKS_H

#include "base/atomic.h"
#include "core/memory/guard.h"
#include "core/memory/space.h"
#include "image/image.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In bytes: blocks begin and end at multiples of it, so that no two of them share a cache line. */
#define SHEAF_TEAM_BLOCK_UNIT ((size_t)64)

#define SHEAF_TEAM_MEMORY_FULL SIZE_MAX

static inline bool sheaf_team_memory_holds(const void *address, size_t bytes)
{
    return sheaf_segment_holds(&sheaf_image.team, (uintptr_t)address, bytes);
}

/* Takes size bytes at the lowest free offset that is not below least, for these members and this thread's
 * call. Returns the offset, or SHEAF_TEAM_MEMORY_FULL where there is none or no memory for the list. */
size_t sheaf_team_blocks_take(size_t size, size_t least, const struct sheaf_space_members *members);

/* Gives the block at offset back, and to the system the whole pages that no block has now. is_freed: by the
 * program, in this thread's call. */
void sheaf_team_blocks_release(size_t offset, bool is_freed);

/* The size of the block that begins at address; 0 where none begins there. *is_theirs: whether its members
 * are these, in this order. */
size_t sheaf_team_blocks_size(const void *address, const struct sheaf_space_members *members,
                              bool *is_theirs);

/* The block that contains address: its first byte and size. */
bool sheaf_team_blocks_find(const void *address, void **start, size_t *size);

/* Whether pe is a member of the block that contains local; the world's PE of member number modulo the
 * number of members, or -1 where no block contains it. */
bool sheaf_team_blocks_have(const void *local, int pe);
int sheaf_team_blocks_member(const void *local, size_t number);

/* Ends the program with a line where pe is no member of the block that contains local, or no block does. */
void sheaf_team_blocks_require_member(const void *local, int pe, const char *call);

/* The blocks around an address of team memory, and the number of members of the one before it. False where
 * another thread is in the middle of an allocation. */
bool sheaf_team_blocks_look_around(const void *address, struct sheaf_around *around, int *size);

size_t sheaf_team_blocks_live(void);  /* bytes */
size_t sheaf_team_blocks_count(void);

/* At the last finalize: removes all blocks. */
void sheaf_team_blocks_fini(void);

#endif
