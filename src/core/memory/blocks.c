/* SPDX-License-Identifier: BSD-3-Clause
 * See blocks.h.
 */
#include "core/memory/blocks.h"

#include "base/atomic.h"
#include "core/memory/guard.h"
#include "core/memory/hinted_heap.h"
#include "core/pe/wait.h"
#include "image/image.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static const struct sheaf_segment *const segment = &sheaf_image.segments[SHEAF_SEGMENT_HEAP];
static struct sheaf_heap *heap;
static size_t lower_top; /* one past the highest block ever, but for hinted ones */
static size_t zone;      /* bytes behind each block that nobody may write */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* A block's label: where it was allocated, and whether it has been freed and is kept away. */
#define FREED (UINT64_C(1) << 63)

int sheaf_blocks_init(size_t bytes, bool keeps_hinted_apart)
{
    heap = sheaf_heap_create(bytes);
    if (heap && keeps_hinted_apart && sheaf_hinted_init(bytes) != 0)
        heap = (sheaf_heap_destroy(heap), NULL);
    return heap ? 0 : -1;
}

void sheaf_blocks_set_guard(bool is_guarded)
{
    zone = is_guarded ? SHEAF_GUARD_ZONE : 0;
}

size_t sheaf_blocks_fini(void)
{
    struct sheaf_heap_usage usage;
    struct sheaf_guard_kept forgotten;
    pthread_mutex_lock(&lock);
    while (sheaf_guard_release(true, &forgotten))
        continue;
    sheaf_heap_usage(heap, &usage);
    sheaf_heap_destroy(heap);
    heap = NULL;
    if (sheaf_hinted_bottom() < usage.limit)
        usage.high_water = usage.limit;
    sheaf_hinted_fini();
    sheaf_freed_forget();
    lower_top = 0;
    pthread_mutex_unlock(&lock);
    return usage.high_water;
}

void sheaf_blocks_usage(struct sheaf_heap_usage *usage)
{
    sheaf_heap_usage(heap, usage);
}

/* The lock is held. Blocks that are kept away make room, the oldest first. */
static size_t find_room(size_t whole, size_t alignment)
{
    struct sheaf_guard_kept kept;
    size_t offset = sheaf_heap_allocate(heap, whole, alignment);
    while (offset == SHEAF_HEAP_FULL && zone > 0 && sheaf_guard_release(true, &kept)) {
        sheaf_heap_release(heap, kept.offset);
        offset = sheaf_heap_allocate(heap, whole, alignment);
    }
    return offset;
}

/* The lock is held. */
static size_t take_lower(size_t size, size_t alignment)
{
    size_t whole = size + zone;
    size_t offset = whole < size ? SHEAF_HEAP_FULL : find_room(whole, alignment);
    if (offset == SHEAF_HEAP_FULL)
        return offset;
    if (sheaf_unlikely(offset + whole > sheaf_hinted_bottom())) {
        sheaf_heap_release(heap, offset);
        return SHEAF_HEAP_FULL;
    }
    if (offset + whole > lower_top)
        lower_top = offset + whole;
    sheaf_heap_set_label(heap, offset, (uintptr_t)sheaf_call.site);
    if (zone > 0)
        sheaf_guard_fill_zone(segment->start + offset + size);
    return offset;
}

size_t sheaf_blocks_allocate(size_t size, size_t alignment, bool hinted, size_t *fresh_from)
{
    struct sheaf_heap_usage usage;
    pthread_mutex_lock(&lock);
    sheaf_heap_usage(heap, &usage);
    size_t offset = hinted ? sheaf_hinted_allocate(size, lower_top) : take_lower(size, alignment);
    pthread_mutex_unlock(&lock);
    *fresh_from = hinted ? SIZE_MAX : usage.high_water;
    return offset;
}

bool sheaf_blocks_is_hinted_offset(size_t offset)
{
    return offset >= sheaf_hinted_bottom();
}

static bool is_in_heap(const void *address)
{
    return sheaf_segment_holds(segment, (uintptr_t)address, 1);
}

bool sheaf_blocks_is_hinted(const void *object)
{
    return is_in_heap(object) &&
           sheaf_blocks_is_hinted_offset((size_t)((const char *)object - segment->start));
}

static bool is_freed(size_t offset)
{
    return zone > 0 && (sheaf_heap_label(heap, offset) & FREED);
}

size_t sheaf_blocks_size(size_t offset)
{
    if (sheaf_blocks_is_hinted_offset(offset))
        return sheaf_hinted_block_size(offset);
    size_t whole = sheaf_heap_block_size(heap, offset);
    return whole == 0 || is_freed(offset) ? 0 : whole - zone;
}

/* The lock is held. Returns how many bytes of it are free now. */
static size_t release_lower(size_t offset, size_t size, uint64_t label)
{
    struct sheaf_guard_kept kept;
    if (zone == 0 || size > SHEAF_GUARD_BYTES_KEPT) {
        sheaf_heap_release(heap, offset);
        return size;
    }
    while (sheaf_guard_release(false, &kept))
        sheaf_heap_release(heap, kept.offset);
    sheaf_heap_set_label(heap, offset, label | FREED);
    sheaf_guard_fill_freed(segment->start + offset, size);
    sheaf_guard_keep((struct sheaf_guard_kept){offset, size});
    return 0;
}

size_t sheaf_blocks_release(size_t offset)
{
    struct sheaf_freed freed = {.offset = offset, .freed = (uintptr_t)sheaf_call.site};
    pthread_mutex_lock(&lock);
    size_t free_bytes = freed.size = sheaf_blocks_size(offset);
    if (sheaf_blocks_is_hinted_offset(offset)) {
        sheaf_hinted_release(offset);
    } else {
        freed.allocated = (uintptr_t)sheaf_heap_label(heap, offset);
        free_bytes = release_lower(offset, freed.size, freed.allocated);
    }
    sheaf_freed_note(&freed);
    pthread_mutex_unlock(&lock);
    return free_bytes;
}

/* The lock is held. */
static bool resize(size_t offset, size_t before, size_t size)
{
    size_t whole = size + zone;
    if (sheaf_blocks_is_hinted_offset(offset) || whole < size || !sheaf_heap_resize(heap, offset, whole))
        return false;
    if (sheaf_unlikely(offset + whole > sheaf_hinted_bottom())) {
        sheaf_heap_resize(heap, offset, before + zone);
        return false;
    }
    if (offset + whole > lower_top)
        lower_top = offset + whole;
    if (zone > 0)
        sheaf_guard_fill_zone(segment->start + offset + size);
    return true;
}

bool sheaf_blocks_resize(size_t offset, size_t size, size_t *before)
{
    pthread_mutex_lock(&lock);
    *before = sheaf_blocks_size(offset);
    bool is_done = resize(offset, *before, size);
    pthread_mutex_unlock(&lock);
    return is_done;
}

void sheaf_blocks_restore(size_t offset, size_t before)
{
    pthread_mutex_lock(&lock);
    sheaf_heap_resize(heap, offset, before + zone);
    if (zone > 0)
        sheaf_guard_fill_zone(segment->start + offset + before);
    pthread_mutex_unlock(&lock);
}

/* The lock is held. */
static bool find_lower(size_t offset, size_t *first, size_t *size)
{
    if (!sheaf_heap_find(heap, offset, first, size) || is_freed(*first) || offset - *first >= *size - zone)
        return false;
    *size -= zone;
    return true;
}

/* The lock is held. */
static bool find(const char *at, void **start, size_t *size)
{
    size_t first;
    size_t offset = (size_t)(at - segment->start);
    bool found = heap && (sheaf_blocks_is_hinted_offset(offset)
                              ? sheaf_hinted_find(offset, &first, size)
                              : find_lower(offset, &first, size));
    if (found)
        *start = segment->start + first;
    return found;
}

bool sheaf_blocks_find(const void *address, void **start, size_t *size)
{
    if (!is_in_heap(address))
        return false;
    pthread_mutex_lock(&lock);
    bool found = find(address, start, size);
    pthread_mutex_unlock(&lock);
    return found;
}

static bool try_lock(void)
{
    for (int tries = 0; pthread_mutex_trylock(&lock) != 0; tries++) {
        if (tries == 1000)
            return false;
        sched_yield();
    }
    return true;
}

/* The lock is held. Without what is kept away, which the freed blocks tell of. */
static void look_at_neighbours(struct sheaf_blocks_around *around)
{
    struct sheaf_heap_block *before = &around->before, *after = &around->after, skipped;
    sheaf_heap_neighbours(heap, around->offset, before, after);
    while (after->size > 0 && after->label & FREED)
        sheaf_heap_neighbours(heap, after->offset, &skipped, after);
    if (before->label & FREED)
        before->size = 0;
    before->size -= before->size > 0 ? zone : 0;
    after->size -= after->size > 0 ? zone : 0;
}

/* The lock is held. */
static void look_around(struct sheaf_blocks_around *around)
{
    size_t start, size;
    if (!sheaf_blocks_is_hinted_offset(around->offset))
        look_at_neighbours(around);
    else if (sheaf_hinted_find(around->offset, &start, &size))
        around->before = (struct sheaf_heap_block){.offset = start, .size = size};
    if (!sheaf_freed_find(around->offset, &around->freed))
        around->freed.size = 0;
}

bool sheaf_blocks_look_around(const void *address, struct sheaf_blocks_around *around)
{
    if (!is_in_heap(address) || !try_lock())
        return false;
    bool is_up = heap != NULL;
    *around = (struct sheaf_blocks_around){.offset = (size_t)((const char *)address - segment->start)};
    if (is_up)
        look_around(around);
    pthread_mutex_unlock(&lock);
    return is_up;
}

static bool is_damaged(const struct sheaf_heap_block *block, struct sheaf_blocks_damage *damage)
{
    size_t first, last, size = block->size - zone;
    const char *start = segment->start + block->offset;
    if (block->label & FREED && sheaf_guard_is_freed_written(start, size, &first, &last))
        *damage = (struct sheaf_blocks_damage){start + first, last - first + 1};
    else if (sheaf_guard_is_zone_written(start + size, &first, &last))
        *damage = (struct sheaf_blocks_damage){start + size + first, last - first + 1};
    else
        return false;
    return true;
}

bool sheaf_blocks_find_damage(struct sheaf_blocks_damage *damage)
{
    struct sheaf_heap_block block, next;
    bool found = false;
    if (zone == 0)
        return false;
    pthread_mutex_lock(&lock);
    sheaf_heap_neighbours(heap, 0, &block, &next);
    while (!found && (block.size > 0 || next.size > 0)) {
        found = block.size > 0 && is_damaged(&block, damage);
        block = next;
        if (next.size > 0)
            sheaf_heap_neighbours(heap, block.offset, &(struct sheaf_heap_block){0}, &next);
    }
    pthread_mutex_unlock(&lock);
    return found;
}
