/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the last snapshot holds: a checksum of each page, by which the next one tells what has changed. The
 * kernel's soft-dirty bits would not: they are of a process's page table, and other PEs write to this one's
 * memory through theirs. Tables are sparse, as the memory is.
 */
#ifndef SHEAF_SNAPSHOT_FILE_KNOWN_H
#define SHEAF_SNAPSHOT_FILE_KNOWN_H

#include "snapshot/file/pages.h"

#include <stdint.h>

/* One piece's pages; 0: of zeros. */
struct sheaf_known_piece {
    uint32_t segment;
    uint64_t offset; /* in it */
    size_t pages;
    size_t used; /* all pages behind so many are of zeros: the table is not touched there */
    uint64_t *hashes;
};

struct sheaf_known {
    struct sheaf_known_piece *pieces;
    int count;
};

/* An empty table for one more piece; NULL: no memory. */
struct sheaf_known_piece *sheaf_known_add(struct sheaf_known *known, const struct sheaf_piece *piece,
                                          size_t page);

/* The table of that piece; NULL: it has none. */
const struct sheaf_known_piece *sheaf_known_find(const struct sheaf_known *known,
                                                 const struct sheaf_known_piece *like);

void sheaf_known_drop(struct sheaf_known *known);

#endif
