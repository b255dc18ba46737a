/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With SHEAF_CHECK=memory: bytes that nobody may write. A zone behind each block of the heap, and freed
 * blocks, which are kept away from new ones for a while. blocks.c calls it, with its lock held; which block
 * is kept for how long depends on the program's calls alone, so that it is the same on every PE.
 */
#ifndef SHEAF_CORE_MEMORY_GUARD_H
#define SHEAF_CORE_MEMORY_GUARD_H

#include <stdbool.h>
#include <stddef.h>

#define SHEAF_GUARD_ZONE 64 /* bytes behind a block */

/* Freed blocks are kept away while they are so many and so large together; a larger one is not. */
#define SHEAF_GUARD_MOST_KEPT  256
#define SHEAF_GUARD_BYTES_KEPT ((size_t)64 << 20)

/* Of a kept block so many bytes at either end are watched. */
#define SHEAF_GUARD_WATCHED ((size_t)64 << 10)

struct sheaf_guard_kept {
    size_t offset, size;
};

void sheaf_guard_fill_zone(void *zone);
void sheaf_guard_fill_freed(void *block, size_t size);

/* Whether one of these bytes has been written: the first and the last, counted from zone or block. */
bool sheaf_guard_is_zone_written(const void *zone, size_t *first, size_t *last);
bool sheaf_guard_is_freed_written(const void *block, size_t size, size_t *first, size_t *last);

/* Takes a freed block in. */
void sheaf_guard_keep(struct sheaf_guard_kept block);

/* The block kept longest, which is to be released: false where none need be; with all, once all are. */
bool sheaf_guard_release(bool all, struct sheaf_guard_kept *block);

#endif
