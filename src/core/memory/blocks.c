/* SPDX-License-Identifier: BSD-3-Clause
 * See blocks.h.
 */
#include "core/memory/blocks.h"

#include "base/atomic.h"
#include "core/memory/hinted_heap.h"
#include "core/pe/call.h"
#include "image/image.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static const struct sheaf_segment *const segment = &sheaf_image.segments[SHEAF_SEGMENT_HEAP];
static struct sheaf_freed_list freed;
static struct sheaf_guarded lower; /* all blocks except hinted ones */
static size_t lower_top;           /* one past the highest byte that ever belonged to one of them */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int sheaf_blocks_init(bool keeps_hinted_apart, bool is_guarded)
{
    size_t bytes = segment->length;
    int failed = sheaf_guarded_init(&lower, segment->start, bytes, is_guarded, &freed);
    if (!failed && keeps_hinted_apart && sheaf_hinted_init(bytes) != 0) {
        sheaf_guarded_fini(&lower);
        failed = -1;
    }
    return failed;
}

size_t sheaf_blocks_fini(void)
{
    struct sheaf_heap_usage usage;
    pthread_mutex_lock(&lock);
    sheaf_heap_usage(lower.heap, &usage);
    sheaf_guarded_fini(&lower);
    if (sheaf_hinted_bottom() < usage.limit)
        usage.high_water = usage.limit;
    sheaf_hinted_fini();
    freed.count = 0;
    lower_top = 0;
    pthread_mutex_unlock(&lock);
    return usage.high_water;
}

void sheaf_blocks_usage(struct sheaf_heap_usage *usage)
{
    sheaf_heap_usage(lower.heap, usage);
}

size_t sheaf_blocks_live(void)
{
    return sheaf_heap_live(lower.heap);
}

bool sheaf_blocks_are_guarded(void)
{
    return lower.guard != NULL;
}

bool sheaf_blocks_have_hinted(void)
{
    return sheaf_hinted_bottom() < segment->length / 64 * 64;
}

void sheaf_blocks_forget_hinted(void)
{
    pthread_mutex_lock(&lock);
    sheaf_hinted_fini();
    pthread_mutex_unlock(&lock);
}

int sheaf_blocks_list(struct sheaf_block_list *list)
{
    pthread_mutex_lock(&lock);
    int failed = sheaf_blocks_have_hinted() ? -1 : sheaf_guarded_list(&lower, list);
    pthread_mutex_unlock(&lock);
    return failed;
}

int sheaf_blocks_adopt(const struct sheaf_block_list *list)
{
    pthread_mutex_lock(&lock);
    int failed = sheaf_blocks_have_hinted() ? -1 : sheaf_guarded_adopt(&lower, list);
    if (!failed)
        lower_top = list->high_water;
    pthread_mutex_unlock(&lock);
    return failed;
}

void sheaf_blocks_settle(void)
{
    pthread_mutex_lock(&lock);
    sheaf_guarded_settle(&lower);
    lower_top = sheaf_heap_high_water(lower.heap);
    pthread_mutex_unlock(&lock);
}

/* The lock is held. */
static void raise_top(size_t offset, size_t size)
{
    size_t top = offset + size + sheaf_guarded_zone(&lower);
    if (top > lower_top)
        lower_top = top;
}

/* The lock is held. */
static size_t allocate_lower(size_t size, size_t alignment)
{
    size_t offset = sheaf_guarded_allocate(&lower, size, alignment, sheaf_hinted_bottom());
    if (offset != SHEAF_HEAP_FULL)
        raise_top(offset, size);
    return offset;
}

size_t sheaf_blocks_allocate(size_t size, size_t alignment, bool hinted, size_t *fresh_from)
{
    pthread_mutex_lock(&lock);
    size_t high_water = sheaf_heap_high_water(lower.heap);
    size_t offset = hinted ? sheaf_hinted_allocate(size, lower_top) : allocate_lower(size, alignment);
    pthread_mutex_unlock(&lock);
    *fresh_from = hinted ? SIZE_MAX : high_water;
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

size_t sheaf_blocks_size(size_t offset)
{
    return sheaf_blocks_is_hinted_offset(offset) ? sheaf_hinted_block_size(offset)
                                                 : sheaf_guarded_size(&lower, offset);
}

/* The lock is held. */
static size_t release_hinted(size_t offset)
{
    struct sheaf_freed block = {.start = (uintptr_t)segment->start + offset,
                                .size = sheaf_hinted_release(offset),
                                .freed = (uintptr_t)sheaf_call.site};
    sheaf_freed_note(&freed, block);
    return block.size;
}

size_t sheaf_blocks_release(size_t offset)
{
    pthread_mutex_lock(&lock);
    size_t bytes = sheaf_blocks_is_hinted_offset(offset) ? release_hinted(offset)
                                                         : sheaf_guarded_release(&lower, offset);
    pthread_mutex_unlock(&lock);
    return bytes;
}

bool sheaf_blocks_resize(size_t offset, size_t size, size_t *before)
{
    pthread_mutex_lock(&lock);
    *before = sheaf_blocks_size(offset);
    bool is_done = !sheaf_blocks_is_hinted_offset(offset) &&
                   sheaf_guarded_resize(&lower, offset, size, sheaf_hinted_bottom());
    if (is_done)
        raise_top(offset, size);
    pthread_mutex_unlock(&lock);
    return is_done;
}

void sheaf_blocks_restore(size_t offset, size_t before)
{
    pthread_mutex_lock(&lock);
    sheaf_guarded_resize(&lower, offset, before, SIZE_MAX);
    pthread_mutex_unlock(&lock);
}

/* The lock is held. */
static bool find_locked(const char *at, void **start, size_t *size)
{
    size_t first;
    size_t offset = (size_t)(at - segment->start);
    bool found = lower.heap && (sheaf_blocks_is_hinted_offset(offset)
                                    ? sheaf_hinted_find(offset, &first, size)
                                    : sheaf_guarded_find(&lower, offset, &first, size));
    if (found)
        *start = segment->start + first;
    return found;
}

bool sheaf_blocks_find(const void *address, void **start, size_t *size)
{
    if (!is_in_heap(address))
        return false;
    pthread_mutex_lock(&lock);
    bool found = find_locked(address, start, size);
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

/* Called with the lock held. Of hinted blocks only the one that contains the address is known. */
static void look_around_hinted(size_t offset, struct sheaf_around *around)
{
    size_t start, size;
    *around = (struct sheaf_around){.start = segment->start, .offset = offset};
    if (sheaf_hinted_find(offset, &start, &size))
        around->before = (struct sheaf_heap_block){.offset = start, .size = size};
    if (!sheaf_freed_find(&freed, (uintptr_t)segment->start + offset, &around->freed))
        around->freed.size = 0;
}

bool sheaf_blocks_look_around(const void *address, struct sheaf_around *around)
{
    size_t offset = (size_t)((const char *)address - segment->start);
    if (!is_in_heap(address) || !try_lock())
        return false;
    bool is_up = lower.heap != NULL;
    if (is_up && sheaf_blocks_is_hinted_offset(offset))
        look_around_hinted(offset, around);
    else if (is_up)
        sheaf_guarded_look_around(&lower, offset, around);
    pthread_mutex_unlock(&lock);
    return is_up;
}

bool sheaf_blocks_find_damage(bool all, struct sheaf_guard_damage *damage)
{
    pthread_mutex_lock(&lock);
    bool found = sheaf_guarded_find_damage(&lower, all, damage);
    pthread_mutex_unlock(&lock);
    return found;
}
