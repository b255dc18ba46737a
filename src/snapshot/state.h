/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the library itself knows of symmetric memory: blocks of heap and spaces, and which spaces, teams and
 * contexts there are, as bytes of a snapshot. Blocks are restored. Spaces, teams and contexts of the
 * program's own are not: a program makes them before it restores, and they must be the same.
 */
#ifndef SHEAF_SNAPSHOT_STATE_H
#define SHEAF_SNAPSHOT_STATE_H

#include "snapshot/file/folder.h"

#include <stdbool.h>
#include <stddef.h>

/* In memory that the caller frees, a multiple of 8 bytes. -1: none. */
int sheaf_state_save(void **bytes, size_t *length, struct sheaf_snapshot_reason *why);

/* Whether a state of length bytes, 8-aligned, makes sense, and this process could have it; exactly: it
 * has the same blocks already. */
int sheaf_state_check(const void *bytes, size_t length, bool exactly, struct sheaf_snapshot_reason *why);

/* Collective over the world, of one that has been checked: the allocators have these blocks from now on.
 * -1: this PE or another has not, and the job cannot go on. */
int sheaf_state_adopt(const void *bytes, struct sheaf_snapshot_reason *why);

#endif
