/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The pages of a piece that exist, found without touching any: where nothing has been written nothing is
 * read, so that a static array of 100 GB costs nothing.
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

#endif
