/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory in the control area for objects that the PEs of a node share at run time: teams' blocks, and
 * queue nodes of locks. It is addressed by offsets from the control area's start. Any PE may allocate and
 * release.
 */
#ifndef SHEAF_CORE_PE_ARENA_H
#define SHEAF_CORE_PE_ARENA_H

#include <stddef.h>
#include <stdint.h>

/* Returns the offset of zeroed bytes that begin on a cache line; 0 when the arena is full. */
uint64_t sheaf_arena_allocate(size_t bytes);

/* bytes: as given to allocate. */
void sheaf_arena_release(uint64_t offset, size_t bytes);

/* A lock against the node's other PEs, for short changes to lists in the control area. */
void sheaf_arena_lock(void);
void sheaf_arena_unlock(void);

void *sheaf_arena_at(uint64_t offset);

#endif
