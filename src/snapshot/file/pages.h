/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages of symmetric memory: which of them exist, and the checksum that the last snapshot has for each.
 *
 * Existing pages are found without touching any. Memory that was never written is not read, so that a
 * static array of 100 GB costs nothing.
 *
 * A checksum of each page of the last snapshot is retained, by which the next snapshot finds the changed
 * pages. The kernel's soft-dirty bits would not find all: they belong to a process's page table, and other
 * PEs write to this PE's memory through theirs. The tables are sparse, like the memory.
 */
#ifndef SHEAF_SNAPSHOT_FILE_PAGES_H
#define SHEAF_SNAPSHOT_FILE_PAGES_H

#include <stddef.h>
#include <stdint.h>

/* A contiguous piece of symmetric memory. */
struct sheaf_piece {
    uint32_t segment;     /* as in struct sheaf_snapshot_extent */
    char *start;          /* whole pages */
    size_t length;
    uint64_t offset;      /* in the segment */
    size_t filled;        /* bytes from start on that always exist */
    int fd;               /* of the file that is mapped there; -1: private memory */
    uint64_t file_offset;
};

/* Calls use for each run of existing pages, for at most most bytes at a time. Returns 0, or the first
 * other result of use; -1 with errno where the system does not tell which pages exist. */
typedef int sheaf_pages_use(void *context, const struct sheaf_piece *piece, size_t at, size_t length);
int sheaf_pages_each(const struct sheaf_piece *piece, size_t most, sheaf_pages_use *use, void *context);

/* The checksums of one piece's pages; 0 for a page of zeros. */
struct sheaf_known_piece {
    uint32_t segment;
    uint64_t offset; /* in it */
    size_t pages;
    size_t used; /* pages from here on are zeros: the table is not touched there */
    uint64_t *hashes;
};

struct sheaf_known {
    struct sheaf_known_piece *pieces;
    int count;
};

/* Adds an empty table for one more piece; NULL without memory. */
struct sheaf_known_piece *sheaf_known_add(struct sheaf_known *known, const struct sheaf_piece *piece,
                                          size_t page);

/* The table of the same piece; NULL: it has none. */
const struct sheaf_known_piece *sheaf_known_find(const struct sheaf_known *known,
                                                 const struct sheaf_known_piece *like);

void sheaf_known_drop(struct sheaf_known *known);

#endif
