/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes one PE's file: pieces of memory, then the state, then the table and the header. Memory is copied
 * to a buffer first, so that the checksum is that of the written bytes even if the program's threads
 * change the memory. Pages of zeros are left out.
 */
#ifndef SHEAF_SNAPSHOT_FILE_WRITER_H
#define SHEAF_SNAPSHOT_FILE_WRITER_H

#include "snapshot/file/format.h"
#include "snapshot/file/pages.h"

/* Copies length bytes of a piece, from at on. Returns 0, or -1 with errno. */
typedef int sheaf_writer_read(void *context, void *to, const struct sheaf_piece *piece, size_t at,
                              size_t length);

/* The owner fills the fields up to before; the others are the writer's. */
struct sheaf_writer {
    int fd;                          /* an empty file */
    size_t page;
    int level;                       /* of zstd; 0: plain */
    sheaf_writer_read *read;         /* NULL: pieces are read where they start */
    void *context;                   /* of read */
    struct sheaf_known *now;         /* gets the checksums of the written pages; NULL: not wanted */
    const struct sheaf_known *before; /* the pages of the files before; NULL: a full file */

    uint64_t at, begun; /* bytes of the file: written, and passed to the disk */
    uint64_t gaps;      /* bytes of the file that are holes */
    char *buffer;       /* the bytes to write next */
    char *packed;       /* the same, compressed */
    char *staged;       /* the bytes that were read */
    struct sheaf_snapshot_extent *table;
    uint64_t extents, room;
    struct sheaf_known_piece *hashes; /* of the current piece; NULL: not wanted */
    const struct sheaf_known_piece *earlier; /* of the current piece; NULL: it is new */
};

/* All return 0, or -1 with errno. _end must be called in any case, also after a failed _begin. */
int sheaf_writer_begin(struct sheaf_writer *writer);
int sheaf_writer_memory(struct sheaf_writer *writer, const struct sheaf_piece *piece);
int sheaf_writer_part(struct sheaf_writer *writer, struct sheaf_snapshot_part *part, const void *bytes,
                      size_t length);
int sheaf_writer_finish(struct sheaf_writer *writer, struct sheaf_snapshot_header *header);
void sheaf_writer_end(struct sheaf_writer *writer);

#endif
