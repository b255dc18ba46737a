/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocks of the symmetric heap that were freed, the last SHEAF_FREED_KEPT of them: for messages about
 * addresses that lie in one. blocks.c writes, with its lock held.
 */
#ifndef SHEAF_CORE_MEMORY_FREED_H
#define SHEAF_CORE_MEMORY_FREED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHEAF_FREED_KEPT 1024 /* 32 KiB of private memory once so many were freed */

struct sheaf_freed {
    size_t offset, size;
    uintptr_t allocated, freed; /* return addresses of the calls; 0: not known */
};

void sheaf_freed_note(const struct sheaf_freed *block);

/* The block freed last of those that held offset. */
bool sheaf_freed_find(size_t offset, struct sheaf_freed *block);

void sheaf_freed_forget(void);

#endif
