/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks that were freed, the last SHEAF_FREED_KEPT of a list: for messages about addresses that lie in
 * one. Its allocator's lock guards a list.
 */
#ifndef SHEAF_CORE_MEMORY_FREED_H
#define SHEAF_CORE_MEMORY_FREED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_FREED_KEPT 1024

struct sheaf_freed {
    uintptr_t start;
    size_t size;
    uintptr_t allocated, freed; /* return addresses of the calls; 0: not known */
};

/* 32 KiB of private memory once so many were freed. */
struct sheaf_freed_list {
    struct sheaf_freed kept[SHEAF_FREED_KEPT];
    size_t count; /* ever noted */
};

static inline void sheaf_freed_note(struct sheaf_freed_list *list, struct sheaf_freed block)
{
    list->kept[list->count++ % SHEAF_FREED_KEPT] = block;
}

/* The block freed last of those that held address. */
bool sheaf_freed_find(const struct sheaf_freed_list *list, uintptr_t address, struct sheaf_freed *block);

/* Forgets those that begin in these bytes. */
void sheaf_freed_forget(struct sheaf_freed_list *list, const void *start, size_t bytes);

#endif
