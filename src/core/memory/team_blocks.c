/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See team_blocks.h. One array of blocks by ascending offset: the first hole that fits is found by a walk,
 * some 2 ns a block, and a block by bisection. The lock of the spaces' allocators guards it.
 */
#include "core/memory/team_blocks.h"

#include "base/log.h"
#include "base/os/os.h"
#include "core/pe/call.h"

#include <stdlib.h>
#include <string.h>

/* The PEs that have the same blocks. Blocks of one list of PEs share it. */
struct members {
    struct sheaf_space_members of;
    size_t blocks; /* that have it */
    struct members *next;
    int table[];
};

struct block {
    size_t offset, size; /* size: as asked for */
    struct members *members;
    uint64_t allocated; /* return address of the call */
};

static struct block *blocks;
static size_t count, room, live;
static struct members *all_members;
static struct sheaf_freed_list freed;

static size_t end_of(const struct block *block)
{
    return block->offset + sheaf_round_up(block->size, SHEAF_TEAM_BLOCK_UNIT);
}

static size_t offset_of(const void *address)
{
    return (size_t)((const char *)address - sheaf_image.team.start);
}

static bool same_members(const struct sheaf_space_members *a, const struct sheaf_space_members *b)
{
    if (a->size != b->size || !a->table != !b->table)
        return false;
    if (a->table)
        return memcmp(a->table, b->table, (size_t)a->size * sizeof *a->table) == 0;
    return a->start == b->start && (a->size == 1 || a->stride == b->stride);
}

static struct members *make_members(const struct sheaf_space_members *of)
{
    size_t bytes = of->table ? (size_t)of->size * sizeof *of->table : 0;
    struct members *members = malloc(sizeof *members + bytes);
    if (!members)
        return NULL;
    *members = (struct members){.of = *of, .next = all_members};
    if (bytes) {
        memcpy(members->table, of->table, bytes);
        members->of.table = members->table;
    }
    all_members = members;
    return members;
}

static struct members *find_members(const struct sheaf_space_members *of)
{
    struct members *at = all_members;
    while (at && !same_members(&at->of, of))
        at = at->next;
    return at ? at : make_members(of);
}

static void drop_members(struct members *members)
{
    struct members **link = &all_members;
    if (members->blocks > 0)
        return;
    while (*link != members)
        link = &(*link)->next;
    *link = members->next;
    free(members);
}

/* The index of the first block that begins behind offset. */
static size_t index_behind(size_t offset)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct block *find_block(size_t offset)
{
    size_t index = index_behind(offset);
    bool is_inside = index > 0 && offset - blocks[index - 1].offset < blocks[index - 1].size;
    return is_inside ? &blocks[index - 1] : NULL;
}

/* The lowest free offset from least on, and the index of the block behind it. */
static size_t find_hole(size_t span, size_t least, size_t *index)
{
    size_t at = least;
    *index = index_behind(least);
    if (*index > 0 && end_of(&blocks[*index - 1]) > at)
        at = end_of(&blocks[*index - 1]);
    for (; *index < count && (at > blocks[*index].offset || span > blocks[*index].offset - at); ++*index)
        at = end_of(&blocks[*index]);
    bool fits = at <= sheaf_image.team.length && span <= sheaf_image.team.length - at;
    return fits ? at : SHEAF_TEAM_MEMORY_FULL;
}

static bool has_room_for_one(void)
{
    if (count < room)
        return true;
    size_t more = room ? 2 * room : 64;
    struct block *grown = realloc(blocks, more * sizeof *grown);
    if (!grown)
        return false;
    blocks = grown;
    room = more;
    return true;
}

static size_t take_block(size_t size, size_t least, const struct sheaf_space_members *of)
{
    size_t index, span = sheaf_round_up(size, SHEAF_TEAM_BLOCK_UNIT);
    if (span < size || !has_room_for_one())
        return SHEAF_TEAM_MEMORY_FULL;
    size_t offset = find_hole(span, least, &index);
    struct members *members = offset == SHEAF_TEAM_MEMORY_FULL ? NULL : find_members(of);
    if (!members)
        return SHEAF_TEAM_MEMORY_FULL;
    memmove(&blocks[index + 1], &blocks[index], (count - index) * sizeof *blocks);
    blocks[index] = (struct block){offset, size, members, (uintptr_t)sheaf_call.site};
    members->blocks++;
    live += size;
    sheaf_store_relaxed(&count, count + 1);
    return offset;
}

size_t sheaf_team_blocks_take(size_t size, size_t least, const struct sheaf_space_members *members)
{
    sheaf_space_lock();
    size_t offset = take_block(size, least, members);
    sheaf_space_unlock();
    return offset;
}

/* Gives back the whole pages of a block that is no more, and those that it shared with blocks that are gone
 * already. index: of the block behind it. Where the system refuses, as for locked pages, they stay. Team
 * memory begins at a page. */
static void discard_pages(const struct block *gone, size_t index)
{
    size_t page = sheaf_os_page_size();
    size_t from = gone->offset / page * page, to = sheaf_round_up(end_of(gone), page);
    if (index > 0 && end_of(&blocks[index - 1]) > from)
        from = sheaf_round_up(end_of(&blocks[index - 1]), page);
    if (index < count && blocks[index].offset < to)
        to = blocks[index].offset / page * page;
    if (from < to)
        sheaf_image_discard(sheaf_image.team.start + from, to - from);
}

static void note_freed(const struct block *block)
{
    uintptr_t start = (uintptr_t)sheaf_image.team.start + block->offset;
    sheaf_freed_note(&freed, (struct sheaf_freed){start, block->size, block->allocated,
                                                  (uintptr_t)sheaf_call.site});
}

void sheaf_team_blocks_release(size_t offset, bool is_freed)
{
    sheaf_space_lock();
    size_t index = index_behind(offset) - 1;
    struct block gone = blocks[index];
    memmove(&blocks[index], &blocks[index + 1], (count - index - 1) * sizeof *blocks);
    sheaf_store_relaxed(&count, count - 1);
    live -= gone.size;
    gone.members->blocks--;
    drop_members(gone.members);
    if (is_freed) {
        note_freed(&gone);
        discard_pages(&gone, index);
    }
    sheaf_space_unlock();
}

size_t sheaf_team_blocks_size(const void *address, const struct sheaf_space_members *members,
                              bool *is_theirs)
{
    size_t size = 0;
    sheaf_space_lock();
    const struct block *block = sheaf_team_memory_holds(address, 1) ? find_block(offset_of(address)) : NULL;
    if (block && block->offset == offset_of(address)) {
        size = block->size;
        *is_theirs = same_members(&block->members->of, members);
    }
    sheaf_space_unlock();
    return size;
}

bool sheaf_team_blocks_find(const void *address, void **start, size_t *size)
{
    if (!sheaf_team_memory_holds(address, 1) || !sheaf_space_try_lock())
        return false;
    const struct block *block = find_block(offset_of(address));
    if (block) {
        *start = sheaf_image.team.start + block->offset;
        *size = block->size;
    }
    sheaf_space_unlock();
    return block != NULL;
}

bool sheaf_team_blocks_have(const void *local, int pe)
{
    sheaf_space_lock();
    const struct block *block = find_block(offset_of(local));
    bool has = block && sheaf_space_member_rank(&block->members->of, pe) >= 0;
    sheaf_space_unlock();
    return has;
}

int sheaf_team_blocks_member(const void *local, size_t number)
{
    int pe = -1;
    sheaf_space_lock();
    const struct block *block = find_block(offset_of(local));
    if (block) {
        const struct sheaf_space_members *of = &block->members->of;
        int rank = (int)(number % (unsigned)of->size);
        pe = of->table ? of->table[rank] : of->start + rank * of->stride;
    }
    sheaf_space_unlock();
    return pe;
}

void sheaf_team_blocks_require_member(const void *local, int pe, const char *call)
{
    if (sheaf_team_blocks_have(local, pe))
        return;
    int of = sheaf_team_blocks_member(local, 0);
    if (of < 0)
        sheaf_fatal("SH124 %s: no block of team memory contains %p on this PE: was it freed?", call, local);
    sheaf_fatal("SH124 %s: PE %d has no copy of %p: that lies in memory that a team with PE %d has "
                "allocated, and PE %d is none of its members", call, pe, local, of, pe);
}

static struct sheaf_heap_block describe_block(size_t index)
{
    if (index >= count)
        return (struct sheaf_heap_block){0};
    return (struct sheaf_heap_block){blocks[index].offset, blocks[index].size, blocks[index].allocated};
}

bool sheaf_team_blocks_look_around(const void *address, struct sheaf_around *around, int *size)
{
    *around = (struct sheaf_around){.start = sheaf_image.team.start, .offset = offset_of(address)};
    *size = 0;
    if (!sheaf_space_try_lock())
        return false;
    size_t index = index_behind(around->offset);
    around->after = describe_block(index);
    if (index > 0) {
        around->before = describe_block(index - 1);
        *size = blocks[index - 1].members->of.size;
    }
    sheaf_freed_find(&freed, (uintptr_t)address, &around->freed);
    sheaf_space_unlock();
    return true;
}

size_t sheaf_team_blocks_live(void)
{
    return sheaf_load_relaxed(&live);
}

size_t sheaf_team_blocks_count(void)
{
    return sheaf_load_relaxed(&count);
}

void sheaf_team_blocks_fini(void)
{
    while (count > 0)
        sheaf_team_blocks_release(blocks[count - 1].offset, true);
    free(blocks);
    blocks = NULL;
    room = 0;
    freed.count = 0;
}
