/* SPDX-License-Identifier: BSD-3-Clause
 *
 * This PE's symmetric memory, in pieces: what a snapshot holds, and where each piece lies here. Among the
 * program's variables lie libraries' variables that the linker has moved into the program (stdout, environ,
 * std::cout), and the loader's table of functions: a restart leaves those as the new process has them.
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

/* -1 where this process's memory cannot be told apart. */
int sheaf_pieces_find(struct sheaf_pieces *pieces, struct sheaf_snapshot_reason *why);

/* Of all of them. */
uint64_t sheaf_pieces_bytes(const struct sheaf_pieces *pieces);

/* Where the bytes of a segment lie, all in one piece; NULL where they are none of this PE's. */
char *sheaf_pieces_place(const struct sheaf_pieces *pieces, uint32_t segment, uint64_t offset,
                         size_t length);

/* The first range of such variables that ends behind at: its first byte and its size; NULL where there is
 * none. */
char *sheaf_copied_next(const char *at, size_t *size);

#endif
