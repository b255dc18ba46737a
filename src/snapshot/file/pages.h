/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages of symmetric memory: which of them exist, and what the last snapshot holds of each.
 *
 * Pages that exist are found without touching any: where nothing has been written nothing is read, so that
 * a static array of 100 GB costs nothing.
 *
 * Of what the last snapshot holds a checksum of each page is known, by which the next one tells what has
 * changed. The kernel's soft-dirty bits would not: they are of a process's page table, and other PEs write
 * to this one's memory through theirs. Tables are sparse, as the memory is.
 */
#ifndef SHEAF_SNAPSHOT_FILE_PAGES_H
#define SHEAF_SNAPSHOT_FILE_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* Symmetric memory in one piece. */
struct sheaf_piece {
    uint32_t segment;     /* as in struct sheaf_snapshot_extent */
    char *start;          /* whole pages */
    size_t length;
    uint64_t offset;      /* in the segment */
    size_t filled;        /* bytes from start on that hold something in any case */
    int fd;               /* of the file that is mapped there; -1: private memory */
    uint64_t file_offset;
};

/* Calls use for each run of whole pages that exist, at most most bytes at a time. 0, or the first other
 * result of use; -1 and errno where the system does not tell. */
typedef int sheaf_pages_use(void *context, const struct sheaf_piece *piece, size_t at, size_t length);
int sheaf_pages_each(const struct sheaf_piece *piece, size_t most, sheaf_pages_use *use, void *context);

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
