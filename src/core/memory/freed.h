/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The blocks that were freed last, SHEAF_FREED_REMEMBERED of each list: for messages about addresses in
 * such a block. The lock of its allocator protects a list.
 */
#ifndef SHEAF_CORE_MEMORY_FREED_H
#define SHEAF_CORE_MEMORY_FREED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_FREED_REMEMBERED 1024

struct sheaf_freed {
    uintptr_t start;
    size_t size;
    uintptr_t allocated, freed; /* return addresses of the calls; 0: not known */
};

/* The list takes 32 KiB of private memory once this many blocks were freed. */
struct sheaf_freed_list {
    struct sheaf_freed last[SHEAF_FREED_REMEMBERED];
    size_t count; /* ever noted */
};

static inline void sheaf_freed_note(struct sheaf_freed_list *list, struct sheaf_freed block)
{
    list->last[list->count++ % SHEAF_FREED_REMEMBERED] = block;
}

/* Finds the block freed last of those that contained address. */
bool sheaf_freed_find(const struct sheaf_freed_list *list, uintptr_t address, struct sheaf_freed *block);

/* Removes the blocks that begin in these bytes. */
void sheaf_freed_forget(struct sheaf_freed_list *list, const void *start, size_t bytes);

#endif
