/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See hinted_heap.h. An allocator like the heap's own, but of distances from the end: a block at distance
 * d of size s lies at end - d - s. Sizes and distances are multiples of a cache line, so that hinted
 * objects share no line with others.
 */
#include "core/memory/hinted_heap.h"

#include "image/heap/heap.h"

#include <stdint.h>

#define LINE ((size_t)64)

static struct sheaf_heap *heap;
static size_t end;                /* a multiple of LINE */
static size_t bottom = SIZE_MAX;

int sheaf_hinted_init(size_t limit)
{
    end = limit / LINE * LINE;
    heap = sheaf_heap_create(end);
    bottom = heap ? end : SIZE_MAX;
    return heap ? 0 : -1;
}

void sheaf_hinted_fini(void)
{
    if (heap)
        sheaf_heap_destroy(heap);
    heap = NULL;
    bottom = SIZE_MAX;
}

size_t sheaf_hinted_bottom(void)
{
    return bottom;
}

size_t sheaf_hinted_allocate(size_t size, size_t lowest)
{
    if (!heap || size > end)
        return SHEAF_HEAP_FULL;
    size = (size + LINE - 1) / LINE * LINE;
    size_t distance = sheaf_heap_allocate(heap, size, LINE);
    if (distance == SHEAF_HEAP_FULL)
        return SHEAF_HEAP_FULL;
    if (distance + size > end || end - distance - size < lowest) {
        sheaf_heap_release(heap, distance);
        return SHEAF_HEAP_FULL;
    }
    size_t offset = end - distance - size;
    if (offset < bottom)
        bottom = offset;
    return offset;
}

bool sheaf_hinted_find(size_t offset, size_t *start, size_t *size)
{
    size_t distance;
    if (!heap || offset < bottom || offset >= end ||
        !sheaf_heap_find(heap, end - 1 - offset, &distance, size))
        return false;
    *start = end - distance - *size;
    return true;
}

size_t sheaf_hinted_block_size(size_t offset)
{
    size_t start, size;
    return sheaf_hinted_find(offset, &start, &size) && start == offset ? size : 0;
}

size_t sheaf_hinted_release(size_t offset)
{
    size_t size = sheaf_hinted_block_size(offset);
    return size ? sheaf_heap_release(heap, end - offset - size) : 0;
}
