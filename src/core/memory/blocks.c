/* SPDX-License-Identifier: BSD-3-Clause
 * See blocks.h.
 */
#include "core/memory/blocks.h"

#include "base/atomic.h"
#include "core/memory/hinted_heap.h"
#include "image/image.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>

static const struct sheaf_segment *const segment = &sheaf_image.segments[SHEAF_SEGMENT_HEAP];
static struct sheaf_heap *heap;
static size_t lower_top; /* one past the highest block ever, but for hinted ones */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int sheaf_blocks_init(size_t bytes, bool keeps_hinted_apart)
{
    heap = sheaf_heap_create(bytes);
    if (heap && keeps_hinted_apart && sheaf_hinted_init(bytes) != 0)
        heap = (sheaf_heap_destroy(heap), NULL);
    return heap ? 0 : -1;
}

size_t sheaf_blocks_fini(void)
{
    struct sheaf_heap_usage usage;
    pthread_mutex_lock(&lock);
    sheaf_heap_usage(heap, &usage);
    sheaf_heap_destroy(heap);
    heap = NULL;
    if (sheaf_hinted_bottom() < usage.limit)
        usage.high_water = usage.limit;
    sheaf_hinted_fini();
    lower_top = 0;
    pthread_mutex_unlock(&lock);
    return usage.high_water;
}

void sheaf_blocks_usage(struct sheaf_heap_usage *usage)
{
    sheaf_heap_usage(heap, usage);
}

/* The lock is held. */
static size_t take_lower(size_t size, size_t alignment)
{
    size_t offset = sheaf_heap_allocate(heap, size, alignment);
    if (offset == SHEAF_HEAP_FULL)
        return offset;
    if (sheaf_unlikely(offset + size > sheaf_hinted_bottom())) {
        sheaf_heap_release(heap, offset);
        return SHEAF_HEAP_FULL;
    }
    if (offset + size > lower_top)
        lower_top = offset + size;
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

size_t sheaf_blocks_size(size_t offset)
{
    return sheaf_blocks_is_hinted_offset(offset) ? sheaf_hinted_block_size(offset)
                                                 : sheaf_heap_block_size(heap, offset);
}

size_t sheaf_blocks_release(size_t offset)
{
    pthread_mutex_lock(&lock);
    size_t size = sheaf_blocks_is_hinted_offset(offset) ? sheaf_hinted_release(offset)
                                                        : sheaf_heap_release(heap, offset);
    pthread_mutex_unlock(&lock);
    return size;
}

/* The lock is held. */
static bool resize(size_t offset, size_t before, size_t size)
{
    if (sheaf_blocks_is_hinted_offset(offset) || !sheaf_heap_resize(heap, offset, size))
        return false;
    if (sheaf_unlikely(offset + size > sheaf_hinted_bottom())) {
        sheaf_heap_resize(heap, offset, before);
        return false;
    }
    if (offset + size > lower_top)
        lower_top = offset + size;
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
    sheaf_heap_resize(heap, offset, before);
    pthread_mutex_unlock(&lock);
}

/* The lock is held. */
static bool find(const char *at, void **start, size_t *size)
{
    size_t first;
    size_t offset = (size_t)(at - segment->start);
    bool found = heap && (sheaf_blocks_is_hinted_offset(offset)
                              ? sheaf_hinted_find(offset, &first, size)
                              : sheaf_heap_find(heap, offset, &first, size));
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

bool sheaf_blocks_try_find(const void *address, void **start, size_t *size)
{
    if (!is_in_heap(address))
        return false;
    for (int tries = 0; pthread_mutex_trylock(&lock) != 0; tries++) {
        if (tries == 1000)
            return false;
        sched_yield();
    }
    bool found = find(address, start, size);
    pthread_mutex_unlock(&lock);
    return found;
}
