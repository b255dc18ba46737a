/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory in the control area for what PEs of a node share at run time: teams' blocks, queue nodes
 * of locks. Addressed by offsets from the control area's start. Any PE may allocate and release.
 */
#ifndef SHEAF_CORE_PE_ARENA_H
#define SHEAF_CORE_PE_ARENA_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed bytes at a cache line's start; 0 when the arena is full. */
uint64_t sheaf_arena_allocate(size_t bytes);

/* bytes as allocated. */
void sheaf_arena_release(uint64_t offset, size_t bytes);

/* Holds off other PEs, for short changes to what the control area lists. */
void sheaf_arena_lock(void);
void sheaf_arena_unlock(void);

void *sheaf_arena_at(uint64_t offset);

#endif
