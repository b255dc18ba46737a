/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes one PE's file: pieces of memory, then its state, then the table and the header. Memory goes
 * through a buffer, so that the checksum is that of the bytes written, whatever the program's threads do;
 * pages of zeros are left out.
 */
#ifndef SHEAF_SNAPSHOT_FILE_WRITER_H
#define SHEAF_SNAPSHOT_FILE_WRITER_H

#include "snapshot/file/format.h"
#include "snapshot/file/pages.h"

/* Copies so many bytes of a piece, from at on. 0, or -1 and errno. */
typedef int sheaf_writer_read(void *context, void *to, const struct sheaf_piece *piece, size_t at,
                              size_t length);

/* Filled by its owner up to before; the rest is the writer's. */
struct sheaf_writer {
    int fd;                          /* an empty file */
    size_t page;
    int level;                       /* of zstd; 0: plain */
    sheaf_writer_read *read;         /* NULL: pieces are read where they start */
    void *context;                   /* of read */
    struct sheaf_known *now;         /* gets what is written; NULL: nobody asks */
    const struct sheaf_known *before; /* what the files hold that this one adds to; NULL: none */

    uint64_t at, begun; /* bytes of the file: written, and handed to the disk */
    char *buffer;       /* what is written next */
    char *packed;       /* that, compressed */
    char *staged;       /* what was read */
    struct sheaf_snapshot_extent *table;
    uint64_t extents, room;
    struct sheaf_known_piece *hashes; /* of the piece under way; NULL: nobody asks */
    const struct sheaf_known_piece *earlier; /* of the same; NULL: it is new */
};

/* All return 0, or -1 and errno. _end in any case, and it may be called after a failed _begin. */
int sheaf_writer_begin(struct sheaf_writer *writer);
int sheaf_writer_memory(struct sheaf_writer *writer, const struct sheaf_piece *piece);
int sheaf_writer_part(struct sheaf_writer *writer, struct sheaf_snapshot_part *part, const void *bytes,
                      size_t length);
int sheaf_writer_finish(struct sheaf_writer *writer, struct sheaf_snapshot_header *header);
void sheaf_writer_end(struct sheaf_writer *writer);

#endif
