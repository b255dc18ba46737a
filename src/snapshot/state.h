/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The library's own state about symmetric memory: the blocks of heap and spaces, and the existing spaces,
 * teams and contexts, as bytes of a snapshot. Blocks are restored. Spaces, teams and contexts of the
 * program are not: a program makes them before it restores, and they must be the same.
 */
#ifndef SHEAF_SNAPSHOT_STATE_H
#define SHEAF_SNAPSHOT_STATE_H

#include "snapshot/file/folder.h"

#include <stdbool.h>
#include <stddef.h>

/* Saves the state to memory that the caller frees, a multiple of 8 bytes. -1 without memory. */
int sheaf_state_save(void **bytes, size_t *length, struct sheaf_snapshot_reason *why);

/* Checks that a state of length bytes, 8-aligned, is valid, and possible in this process. exactly: the
 * process must have the same blocks already. */
int sheaf_state_check(const void *bytes, size_t length, bool exactly, struct sheaf_snapshot_reason *why);

/* Collective over the world, for a checked state: gives the allocators these blocks. -1: this PE or
 * another could not, and the job cannot go on. */
int sheaf_state_adopt(const void *bytes, struct sheaf_snapshot_reason *why);

#endif
