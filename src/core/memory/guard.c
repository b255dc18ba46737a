/* SPDX-License-Identifier: BSD-3-Clause
 * See guard.h.
 */
#include "core/memory/guard.h"

#include <string.h>

/* No number, character or address of a program is made of these alone. */
#define ZONE_BYTE  0xfb
#define FREED_BYTE 0xfd

static struct sheaf_guard_kept kept[SHEAF_GUARD_MOST_KEPT];
static size_t oldest, count, bytes_kept;

void sheaf_guard_fill_zone(void *zone)
{
    memset(zone, ZONE_BYTE, SHEAF_GUARD_ZONE);
}

/* The bytes in the middle stay as they are: a large block is not to cost memory that it never had. */
static size_t watched_of(size_t size)
{
    return size < SHEAF_GUARD_WATCHED ? size : SHEAF_GUARD_WATCHED;
}

void sheaf_guard_fill_freed(void *block, size_t size)
{
    size_t watched = watched_of(size);
    memset(block, FREED_BYTE, watched);
    memset((char *)block + size - watched, FREED_BYTE, watched);
}

/* Most often none has been written, and one comparison tells. */
static bool is_written(const unsigned char *bytes, size_t size, unsigned char byte, size_t *first,
                       size_t *last)
{
    if (bytes[0] == byte && memcmp(bytes, bytes + 1, size - 1) == 0)
        return false;
    for (*first = 0; bytes[*first] == byte;)
        ++*first;
    for (*last = size - 1; bytes[*last] == byte;)
        --*last;
    return true;
}

bool sheaf_guard_is_zone_written(const void *zone, size_t *first, size_t *last)
{
    return is_written(zone, SHEAF_GUARD_ZONE, ZONE_BYTE, first, last);
}

bool sheaf_guard_is_freed_written(const void *block, size_t size, size_t *first, size_t *last)
{
    const unsigned char *bytes = block;
    size_t watched = watched_of(size), end = size - watched;
    if (is_written(bytes, watched, FREED_BYTE, first, last))
        return true;
    if (!is_written(bytes + end, watched, FREED_BYTE, first, last))
        return false;
    *first += end;
    *last += end;
    return true;
}

void sheaf_guard_keep(struct sheaf_guard_kept block)
{
    kept[(oldest + count++) % SHEAF_GUARD_MOST_KEPT] = block;
    bytes_kept += block.size;
}

bool sheaf_guard_release(bool all, struct sheaf_guard_kept *block)
{
    if (count == 0 || (!all && count < SHEAF_GUARD_MOST_KEPT && bytes_kept <= SHEAF_GUARD_BYTES_KEPT))
        return false;
    *block = kept[oldest];
    oldest = (oldest + 1) % SHEAF_GUARD_MOST_KEPT;
    count--;
    bytes_kept -= block->size;
    return true;
}
