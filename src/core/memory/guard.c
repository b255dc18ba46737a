/* SPDX-License-Identifier: BSD-3-Clause
 * See guard.h.
 *
 * A block has its zone behind it, which the allocator counts as part of the block. The SHEAF_GUARD_ZONE
 * bytes before a block never belong to another block's data: they are the zone of the block before, the
 * end of a hole, or both.
 */
#include "core/memory/guard.h"

#include "core/pe/call.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Programs' numbers, characters and addresses do not consist of these bytes alone. */
#define ZONE_BYTE  0xfb
#define FREED_BYTE 0xfd

/* A bit of a block's label: it has been freed and is in the quarantine. */
#define FREED (UINT64_C(1) << 63)

struct quarantined {
    size_t offset, size;
};

struct sheaf_guard {
    struct quarantined quarantined[SHEAF_GUARD_MOST_QUARANTINED];
    size_t oldest, count, bytes;
    size_t next;                   /* where the next search begins */
    struct sheaf_call began, sound; /* the calls that began this round of searches, and the last complete
                                       round */
};

/* The blocks that one call checks, so that a call takes some 20 us at most, however many blocks there
 * are. */
#define MOST_CHECKED 256

static void fill_zone(struct sheaf_guarded *guarded, size_t offset)
{
    memset(guarded->start + offset, ZONE_BYTE, SHEAF_GUARD_ZONE);
}

/* Reserves a zone before the first block: that of a block of 0 bytes at offset 0. */
static void reserve_first_zone(struct sheaf_guarded *guarded)
{
    if (sheaf_heap_allocate_labelled(guarded->heap, SHEAF_GUARD_ZONE, SHEAF_HEAP_ALIGNMENT, FREED) == 0)
        fill_zone(guarded, 0);
}

int sheaf_guarded_init(struct sheaf_guarded *guarded, char *start, size_t bytes, bool is_guarded,
                       struct sheaf_freed_list *freed)
{
    *guarded = (struct sheaf_guarded){.heap = sheaf_heap_create(bytes), .start = start, .freed = freed};
    if (!guarded->heap || !is_guarded)
        return guarded->heap ? 0 : -1;
    guarded->guard = calloc(1, sizeof *guarded->guard);
    if (!guarded->guard) {
        sheaf_guarded_fini(guarded);
        return -1;
    }
    reserve_first_zone(guarded);
    return 0;
}

void sheaf_guarded_fini(struct sheaf_guarded *guarded)
{
    if (guarded->heap)
        sheaf_heap_destroy(guarded->heap);
    free(guarded->guard);
    guarded->heap = NULL;
    guarded->guard = NULL;
}

/* The first zone is in the quarantine but listed too. */
int sheaf_guarded_list(const struct sheaf_guarded *guarded, struct sheaf_block_list *list)
{
    struct sheaf_heap_usage usage;
    sheaf_heap_usage(guarded->heap, &usage);
    list->blocks = calloc(usage.blocks + 1, sizeof *list->blocks);
    list->high_water = usage.high_water;
    list->count = 0;
    if (!list->blocks)
        return -1;
    sheaf_heap_list(guarded->heap, list->blocks);
    for (size_t i = 0; i < usage.blocks; i++)
        if (list->blocks[i].offset == 0 || !(list->blocks[i].label & FREED))
            list->blocks[list->count++] = list->blocks[i];
    return 0;
}

/* Frees the oldest block of the quarantine. Returns false where the quarantine is not full; with any,
 * only where it is empty. */
static bool release_oldest(struct sheaf_guarded *guarded, bool any)
{
    struct sheaf_guard *guard = guarded->guard;
    bool is_full = guard->count == SHEAF_GUARD_MOST_QUARANTINED ||
        guard->bytes > SHEAF_GUARD_QUARANTINE_BYTES;
    if (guard->count == 0 || (!any && !is_full))
        return false;
    struct quarantined block = guard->quarantined[guard->oldest];
    guard->oldest = (guard->oldest + 1) % SHEAF_GUARD_MOST_QUARANTINED;
    guard->count--;
    guard->bytes -= block.size;
    sheaf_heap_release(guarded->heap, block.offset);
    return true;
}

void sheaf_guarded_settle(struct sheaf_guarded *guarded)
{
    while (guarded->guard && release_oldest(guarded, true))
        ;
    sheaf_heap_settle(guarded->heap);
}

int sheaf_guarded_adopt(struct sheaf_guarded *guarded, const struct sheaf_block_list *list)
{
    struct sheaf_heap_usage usage;
    sheaf_heap_usage(guarded->heap, &usage);
    struct sheaf_heap *heap =
        sheaf_heap_create_with(usage.limit, list->blocks, list->count, list->high_water);
    if (!heap)
        return -1;
    sheaf_heap_destroy(guarded->heap);
    guarded->heap = heap;
    if (guarded->guard)
        guarded->guard->oldest = guarded->guard->count = guarded->guard->bytes = 0;
    return 0;
}

static void add_to_quarantine(struct sheaf_guard *guard, struct quarantined block)
{
    guard->quarantined[(guard->oldest + guard->count++) % SHEAF_GUARD_MOST_QUARANTINED] = block;
    guard->bytes += block.size;
}

/* Frees blocks of the quarantine, the oldest first, until there is room. */
static size_t find_room(struct sheaf_guarded *guarded, size_t whole, size_t alignment)
{
    uint64_t site = (uintptr_t)sheaf_call.site;
    size_t offset = sheaf_heap_allocate_labelled(guarded->heap, whole, alignment, site);
    while (sheaf_unlikely(offset == SHEAF_HEAP_FULL) && guarded->guard && release_oldest(guarded, true))
        offset = sheaf_heap_allocate_labelled(guarded->heap, whole, alignment, site);
    return offset;
}

/* Fills the zones behind and before the block. The bytes before it belong to no block. */
static void fill_zones(struct sheaf_guarded *guarded, size_t offset, size_t size)
{
    fill_zone(guarded, offset + size);
    if (offset >= SHEAF_GUARD_ZONE)
        fill_zone(guarded, offset - SHEAF_GUARD_ZONE);
}

size_t sheaf_guarded_allocate(struct sheaf_guarded *guarded, size_t size, size_t alignment, size_t end)
{
    size_t whole = size + sheaf_guarded_zone(guarded);
    size_t offset = whole < size ? SHEAF_HEAP_FULL : find_room(guarded, whole, alignment);
    if (offset == SHEAF_HEAP_FULL)
        return offset;
    if (sheaf_unlikely(offset + whole > end)) {
        sheaf_heap_release(guarded->heap, offset);
        return SHEAF_HEAP_FULL;
    }
    if (sheaf_unlikely(guarded->guard != NULL))
        fill_zones(guarded, offset, size);
    return offset;
}

static bool is_quarantined(const struct sheaf_heap_block *block)
{
    return block->label & FREED;
}

/* The block that begins at offset, without its zone. */
static struct sheaf_heap_block block_at(const struct sheaf_guarded *guarded, size_t offset)
{
    struct sheaf_heap_block block = sheaf_heap_at(guarded->heap, offset);
    if (block.size > 0)
        block.size = is_quarantined(&block) ? 0 : block.size - SHEAF_GUARD_ZONE;
    return block;
}

size_t sheaf_guarded_size(const struct sheaf_guarded *guarded, size_t offset)
{
    if (sheaf_unlikely(guarded->guard != NULL))
        return block_at(guarded, offset).size;
    return sheaf_heap_block_size(guarded->heap, offset);
}

/* The bytes at either end of a freed block that are filled and checked. Those in the middle stay as
 * they are, so that a large block does not use memory that it never touched. */
static size_t filled_bytes(size_t size)
{
    return size < SHEAF_GUARD_WATCHED ? size : SHEAF_GUARD_WATCHED;
}

static void quarantine_block(struct sheaf_guarded *guarded, const struct sheaf_heap_block *block)
{
    size_t watched = filled_bytes(block->size);
    char *start = guarded->start + block->offset;
    while (release_oldest(guarded, false))
        continue;
    sheaf_heap_set_label(guarded->heap, block->offset, block->label | FREED);
    memset(start, FREED_BYTE, watched);
    memset(start + block->size - watched, FREED_BYTE, watched);
    add_to_quarantine(guarded->guard, (struct quarantined){block->offset, block->size});
}

static inline void record_freed(struct sheaf_guarded *guarded, size_t offset, size_t size, uint64_t label)
{
    sheaf_freed_note(guarded->freed, (struct sheaf_freed){.start = (uintptr_t)guarded->start + offset,
                                                          .size = size,
                                                          .allocated = label,
                                                          .freed = (uintptr_t)sheaf_call.site});
}

static __attribute__((noinline)) size_t release_guarded(struct sheaf_guarded *guarded, size_t offset)
{
    struct sheaf_heap_block block = block_at(guarded, offset);
    if (block.size == 0)
        return 0;
    record_freed(guarded, offset, block.size, block.label);
    if (block.size > SHEAF_GUARD_QUARANTINE_BYTES) {
        sheaf_heap_release(guarded->heap, offset);
        return block.size;
    }
    quarantine_block(guarded, &block);
    return 0;
}

size_t sheaf_guarded_release(struct sheaf_guarded *guarded, size_t offset)
{
    if (sheaf_unlikely(guarded->guard != NULL))
        return release_guarded(guarded, offset);
    uint64_t label;
    size_t size = sheaf_heap_release_labelled(guarded->heap, offset, &label);
    record_freed(guarded, offset, size, label);
    return size;
}

bool sheaf_guarded_resize(struct sheaf_guarded *guarded, size_t offset, size_t size, size_t end)
{
    size_t whole = size + sheaf_guarded_zone(guarded);
    size_t before = sheaf_heap_block_size(guarded->heap, offset);
    if (whole < size || !sheaf_heap_resize(guarded->heap, offset, whole))
        return false;
    if (sheaf_unlikely(offset + whole > end)) {
        sheaf_heap_resize(guarded->heap, offset, before);
        return false;
    }
    if (guarded->guard)
        fill_zones(guarded, offset, size);
    return true;
}

bool sheaf_guarded_find(const struct sheaf_guarded *guarded, size_t offset, size_t *first, size_t *size)
{
    if (!guarded->heap || !sheaf_heap_find(guarded->heap, offset, first, size))
        return false;
    if (guarded->guard)
        *size = block_at(guarded, *first).size;
    return offset - *first < *size;
}

/* Skips blocks in the quarantine: the list of freed blocks describes them. */
static void find_neighbours(const struct sheaf_guarded *guarded, struct sheaf_around *around)
{
    struct sheaf_heap_block *before = &around->before, *after = &around->after, skipped;
    size_t zone = sheaf_guarded_zone(guarded);
    sheaf_heap_neighbours(guarded->heap, around->offset, before, after);
    while (after->size > 0 && is_quarantined(after))
        sheaf_heap_neighbours(guarded->heap, after->offset, &skipped, after);
    if (is_quarantined(before))
        before->size = 0;
    before->size -= before->size > 0 ? zone : 0;
    after->size -= after->size > 0 ? zone : 0;
}

void sheaf_guarded_look_around(const struct sheaf_guarded *guarded, size_t offset,
                               struct sheaf_around *around)
{
    *around = (struct sheaf_around){.start = guarded->start, .offset = offset};
    find_neighbours(guarded, around);
    if (!sheaf_freed_find(guarded->freed, (uintptr_t)guarded->start + offset, &around->freed))
        around->freed.size = 0;
}

/* Whether some of these bytes have been written. Usually none has, and one comparison finds that. */
static bool is_written(const char *start, size_t size, unsigned char byte,
                       struct sheaf_guard_damage *damage)
{
    const unsigned char *bytes = (const unsigned char *)start;
    size_t first = 0, last = size - 1;
    if (size == 0 || (bytes[0] == byte && memcmp(bytes, bytes + 1, size - 1) == 0))
        return false;
    while (bytes[first] == byte)
        first++;
    while (bytes[last] == byte)
        last--;
    *damage = (struct sheaf_guard_damage){.byte = start + first, .count = last - first + 1};
    return true;
}

static bool is_damaged(const struct sheaf_guarded *guarded, const struct sheaf_heap_block *block,
                       struct sheaf_guard_damage *damage)
{
    size_t size = block->size - SHEAF_GUARD_ZONE, watched = filled_bytes(size);
    const char *start = guarded->start + block->offset, *end = start + size;
    if (is_quarantined(block) && (is_written(start, watched, FREED_BYTE, damage) ||
                                  is_written(end - watched, watched, FREED_BYTE, damage)))
        return true;
    bool has_zone_before = block->offset >= SHEAF_GUARD_ZONE && !is_quarantined(block);
    return (has_zone_before && is_written(start - SHEAF_GUARD_ZONE, SHEAF_GUARD_ZONE, ZONE_BYTE, damage)) ||
           is_written(end, SHEAF_GUARD_ZONE, ZONE_BYTE, damage);
}

bool sheaf_guarded_find_damage(const struct sheaf_guarded *guarded, bool all,
                               struct sheaf_guard_damage *damage)
{
    struct sheaf_heap_block block, next;
    struct sheaf_guard *guard = guarded->guard;
    bool found = false;
    if (!guarded->heap || !guard)
        return false;
    if (guard->next == 0)
        guard->began = sheaf_call;
    sheaf_heap_neighbours(guarded->heap, guard->next, &block, &next);
    for (int left = MOST_CHECKED; !found &&
         (block.size > 0 || next.size > 0) && (all || left > 0); left--) {
        found = block.size > 0 && is_damaged(guarded, &block, damage);
        block = next;
        if (next.size > 0)
            sheaf_heap_neighbours(guarded->heap, block.offset, &(struct sheaf_heap_block){0}, &next);
    }
    damage->since = guard->sound;
    guard->next = block.size > 0 ? block.offset : 0;
    if (guard->next == 0)
        guard->sound = guard->began;
    return found;
}
