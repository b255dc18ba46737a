/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This PE's symmetric memory, in pieces: what a snapshot contains, and the address of each piece. Among
 * the program's variables are libraries' variables that the linker has moved into the program (stdout,
 * environ, std::cout), and the loader's table of functions. A restart leaves those as they are in the new
 * process.
 */
#ifndef SHEAF_SNAPSHOT_MEMORY_H
#define SHEAF_SNAPSHOT_MEMORY_H

#include "base/segment.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/pages.h"

#include <stddef.h>
#include <stdint.h>

#define SHEAF_MOST_PIECES (16 + SHEAF_MOST_SPACES)

struct sheaf_pieces {
    struct sheaf_piece list[SHEAF_MOST_PIECES];
    int count;
};

/* Returns -1 where the pieces of this process's memory cannot be found. */
int sheaf_pieces_find(struct sheaf_pieces *pieces, struct sheaf_snapshot_reason *why);

/* The bytes of all pieces. */
uint64_t sheaf_pieces_bytes(const struct sheaf_pieces *pieces);

/* The address of these bytes of a segment, all in one piece; NULL where this PE does not have them. */
char *sheaf_pieces_address(const struct sheaf_pieces *pieces, uint32_t segment, uint64_t offset,
                           size_t length);

/* The first range of such library variables that ends behind at: its first byte and size; NULL where
 * there is none. */
char *sheaf_copied_next(const char *at, size_t *size);

#endif
