/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Symmetric memory management: the agreement among PEs, and the barriers that the specification requires.
 * All functions are collective over the world.
 */
#ifndef SHEAF_CORE_ALLOCATION_H
#define SHEAF_CORE_ALLOCATION_H

#include "core/memory/blocks.h"

#include <stddef.h>

/* The work of shmem_malloc, shmem_align, shmem_calloc, shmem_realloc and shmem_free, with their
 * barriers and null results. call is the public name, for messages. */
void *sheaf_memory_allocate(size_t size, size_t alignment, const char *call);
void *sheaf_memory_allocate_zeroed(size_t count, size_t size, const char *call);
/* A block for atomic operations of PEs of other nodes: SHMEM_MALLOC_ATOMICS_REMOTE. */
void *sheaf_memory_allocate_for_atomics(size_t size, const char *call);
void *sheaf_memory_resize(void *block, size_t size, const char *call);
void sheaf_memory_free(void *block, const char *call);

/* Collective over the world: gives the heap exactly these blocks. Returns -1 on all PEs where one of
 * them cannot have them; others may have them then, and the job cannot go on. */
int sheaf_memory_adopt(const struct sheaf_block_list *list);

/* For oshtop: the bytes of all blocks of the heap and of team memory. */
void sheaf_memory_record_usage(void);

/* Called by init.c, with the image mapped. */
int sheaf_memory_init(void);
void sheaf_memory_fini(void);

#endif
