/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See team_allocation.h. Each member takes the lowest offset that is free on it, and tells the others.
 * Where all have the same one, they are done: mostly at once, since PEs that allocate together have the
 * same blocks. Otherwise each gives its own back and takes the lowest one that is not below the highest of
 * them. So offsets only grow, up to the lowest that is free on all members. No lock is held meanwhile, so
 * two threads may allocate for two teams.
 */
#include "core/team_allocation.h"

#include "base/log.h"
#include "core/access/order.h"
#include "core/allocation.h"
#include "core/low_jitter.h"
#include "core/memory/address_text.h"
#include "core/memory/block_rules.h"
#include "core/memory/team_blocks.h"
#include "core/pe/call.h"
#include "core/team/agree.h"
#include "core/team/history.h"
#include "core/team/multinode.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "survive/interface/survival.h"

#include <string.h>

/* The lowest and the highest of the offsets that members have taken; SHEAF_TEAM_MEMORY_FULL for none. */
struct offers {
    uint64_t lowest, highest;
};

static void read_offer(void *result, int rank, const void *note)
{
    struct offers *all = result;
    uint64_t offset;
    (void)rank;
    memcpy(&offset, note, sizeof offset);
    all->lowest = offset < all->lowest ? offset : all->lowest;
    all->highest = offset > all->highest ? offset : all->highest;
}

static struct sheaf_space_members members_of(const struct sheaf_team *team)
{
    return (struct sheaf_space_members){team->size, team->start, team->stride, team->table};
}

static bool node_is_short_of(struct sheaf_team *team, size_t size)
{
    struct sheaf_team *near = sheaf_team_near(team);
    return size >= SHEAF_BLOCK_LARGE && near->rank == 0 && sheaf_block_overfills_node(size, near->size);
}

/* The offset that this thread has taken and not agreed on: a member may die meanwhile. */
static __thread size_t taken = SHEAF_TEAM_MEMORY_FULL;

static void give_back(void)
{
    if (taken != SHEAF_TEAM_MEMORY_FULL)
        sheaf_team_blocks_release(taken, false);
    taken = SHEAF_TEAM_MEMORY_FULL;
}

/* One round: takes an offset from least on. Returns whether all members have the same one; *least gets the
 * offset to go on from. */
static bool agree_on_offset(struct sheaf_team *team, size_t size, size_t *least)
{
    struct sheaf_space_members members = members_of(team);
    struct offers all = {.lowest = UINT64_MAX};
    if (*least != SHEAF_TEAM_MEMORY_FULL)
        taken = sheaf_team_blocks_take(size, *least, &members);
    uint64_t mine = taken;
    sheaf_team_gather(team, &mine, sizeof mine, read_offer, &all);
    *least = all.highest;
    if (all.lowest == all.highest)
        return true;
    give_back();
    return false;
}

static void *take_block(struct sheaf_team *team, size_t size, bool zeroed, const char *call)
{
    size_t least = node_is_short_of(team, size) ? SHEAF_TEAM_MEMORY_FULL : 0;
    while (!agree_on_offset(team, size, &least) && least != SHEAF_TEAM_MEMORY_FULL)
        ;
    if (least == SHEAF_TEAM_MEMORY_FULL) {
        sheaf_debug("%s: no room for %zu bytes on all %d members: %zu of %zu bytes of this PE's team "
                    "memory are in use in %zu blocks", call, size, team->size, sheaf_team_blocks_live(),
                    sheaf_image.team.length, sheaf_team_blocks_count());
        return NULL;
    }
    taken = SHEAF_TEAM_MEMORY_FULL; /* the program's from here on */
    char *block = sheaf_image.team.start + least;
    if (zeroed)
        memset(block, 0, size);
    sheaf_low_jitter_touch(block, size);
    return block;
}

void *sheaf_team_memory_allocate(struct sheaf_team *team, size_t size, bool zeroed, const char *call)
{
    SHEAF_KEEP_ERRNO;
    sheaf_agree_enter(team, call);
    sheaf_agree_on_number(team, "the size in bytes", (ptrdiff_t)size);
    if (size == 0)
        return NULL;
    struct sheaf_record *record = sheaf_history_begin_several(team, SHEAF_WAITS_FOR_ALL, size);
    sheaf_survival->set_cleanup(give_back);
    sheaf_quiet_before_sync();
    void *block = take_block(team, size, zeroed, call);
    sheaf_survival->set_cleanup(NULL);
    sheaf_sync(team);
    if (!block)
        sheaf_address_note_null(call, size, sheaf_call.site);
    sheaf_memory_record_usage();
    sheaf_history_end(record);
    return block;
}

/* The size of the team's block that begins there. */
static size_t require_block(const struct sheaf_team *team, const void *block, const char *call)
{
    struct sheaf_space_members members = members_of(team);
    bool is_theirs = false;
    size_t size = sheaf_team_blocks_size(block, &members, &is_theirs);
    char what[SHEAF_ADDRESS_TEXT];
    if (size > 0 && is_theirs)
        return size;
    sheaf_address_describe(block, what, sizeof what);
    if (size > 0)
        sheaf_fatal("SH134 %s: %p is %s, and another team than this one of %d PEs has allocated it: pass "
                    "the team that did", call, block, what, team->size);
    sheaf_fatal("SH117 %s: %p is not the start of a block of team memory, but %s: pass what "
                "shmemx_team_malloc returned, once", call, block, what);
}

void sheaf_team_memory_free(struct sheaf_team *team, void *block, const char *call)
{
    SHEAF_KEEP_ERRNO;
    if (!block)
        return;
    size_t size = require_block(team, block, call);
    size_t offset = (size_t)((char *)block - sheaf_image.team.start);
    sheaf_agree_enter(team, call);
    sheaf_agree_on_number(team, "the block's place in team memory", (ptrdiff_t)offset);
    struct sheaf_record *record = sheaf_history_begin_several(team, SHEAF_WAITS_FOR_ALL, size);
    sheaf_quiet_before_sync();
    sheaf_sync(team);
    sheaf_team_blocks_release(offset, true);
    sheaf_memory_record_usage();
    sheaf_history_end(record);
}
