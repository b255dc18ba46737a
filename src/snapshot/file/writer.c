/* SPDX-License-Identifier: BSD-3-Clause
 * See writer.h.
 */
#include "snapshot/file/writer.h"

#include "snapshot/file/bytes.h"
#include "snapshot/file/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

/* After this many bytes the disk is told to begin, while the next bytes are prepared. */
#define BEGIN_AT ((uint64_t)16 << 20)

/* The bytes copied at once: the buffer stays in the processor's cache until the kernel has it. */
#define RUN           (SHEAF_SNAPSHOT_EXTENT / 4)
#define SMALLEST_PAGE 4096

static int write_bytes(struct sheaf_writer *writer, const void *bytes, size_t length)
{
    if (sheaf_write_bytes(writer->fd, bytes, length, writer->at) != 0)
        return -1;
    writer->at += length;
    if (writer->at - writer->begun >= BEGIN_AT) {
        sync_file_range(writer->fd, (off_t)writer->begun, (off_t)(writer->at - writer->begun),
                        SYNC_FILE_RANGE_WRITE);
        writer->begun = writer->at;
    }
    return 0;
}

/* A full run begins at a multiple of its length in the file: the kernel then has it in one part of its
 * page cache, not in seven. The gaps are holes, together at most one run and a sixteenth of the file. */
static void align_full_run(struct sheaf_writer *writer, size_t length)
{
    uint64_t gap = (RUN - writer->at % RUN) % RUN;
    if (length == RUN && writer->gaps + gap <= RUN + writer->at / 16) {
        writer->gaps += gap;
        writer->at += gap;
    }
}

static int add_extent(struct sheaf_writer *writer, const struct sheaf_snapshot_extent *extent)
{
    if (writer->extents == writer->room) {
        uint64_t room = 2 * writer->room + 256;
        void *grown = reallocarray(writer->table, room, sizeof *writer->table);
        if (!grown)
            return -1;
        writer->table = grown;
        writer->room = room;
    }
    writer->table[writer->extents++] = *extent;
    return 0;
}

/* Writes a run of pages, whose checksum is known. */
static int write_run(struct sheaf_writer *writer, const struct sheaf_piece *piece, size_t at,
                     const char *bytes, size_t length, uint64_t hash)
{
    if (!writer->level)
        align_full_run(writer, length);
    struct sheaf_snapshot_extent extent = {.segment = piece->segment,
                                           .coding = SHEAF_SNAPSHOT_PLAIN,
                                           .offset = piece->offset + at,
                                           .length = (uint32_t)length,
                                           .stored = (uint32_t)length,
                                           .place = writer->at,
                                           .hash = hash};
    size_t packed = writer->level ? sheaf_zstd_pack(writer->packed, length, bytes, length, writer->level)
                                  : 0;
    if (packed) {
        extent.coding = SHEAF_SNAPSHOT_ZSTD;
        extent.stored = (uint32_t)packed;
        extent.hash = sheaf_hash(writer->packed, packed);
    }
    return write_bytes(writer, packed ? writer->packed : bytes, extent.stored) != 0 ||
                   add_extent(writer, &extent) != 0
               ? -1
               : 0;
}

/* Pages that follow one another, in memory and in the buffer. */
struct run {
    size_t at;      /* of the first in its piece */
    size_t place;   /* in the buffer */
    size_t length;
    uint64_t steps; /* over their checksums */
};

static int end_run(struct sheaf_writer *writer, const struct sheaf_piece *piece, struct run *run)
{
    int failed = run->length == 0 ? 0
                                  : write_run(writer, piece, run->at, writer->buffer + run->place,
                                              run->length, sheaf_hash_pages_end(run->steps, run->length));
    run->length = 0;
    run->steps = 0;
    return failed;
}

/* Whether a page must be written: not a page of zeros, nor one that the files before have unchanged. */
static bool is_needed(const struct sheaf_writer *writer, size_t number, uint64_t hash)
{
    if (hash && writer->hashes) {
        writer->hashes->hashes[number] = hash;
        writer->hashes->used = number + 1;
    }
    return hash && !(writer->earlier && writer->earlier->hashes[number] == hash);
}

/* Writes the pages of the buffer that must be written. at: their offset in the piece. */
static int write_needed(struct sheaf_writer *writer, const struct sheaf_piece *piece, size_t at,
                        const uint64_t *hashes, size_t length)
{
    struct run run = {.at = at};
    for (size_t done = 0; done < length; done += writer->page) {
        uint64_t hash = hashes[done / writer->page];
        bool needed = is_needed(writer, (at + done) / writer->page, hash);
        if (!needed && end_run(writer, piece, &run) != 0)
            return -1;
        if (needed && run.length == 0)
            run = (struct run){.at = at + done, .place = done};
        if (needed) {
            run.steps = sheaf_hash_step(run.steps, hash);
            run.length += writer->page;
        }
    }
    return end_run(writer, piece, &run);
}

/* A sheaf_pages_use: writes existing pages. */
static int write_pages(void *context, const struct sheaf_piece *piece, size_t at, size_t length)
{
    struct sheaf_writer *writer = context;
    uint64_t hashes[RUN / SMALLEST_PAGE];
    const char *from = writer->read ? writer->staged : piece->start + at;
    if (writer->read && writer->read(writer->context, writer->staged, piece, at, length) != 0)
        return -1;
    sheaf_copy_pages(writer->buffer, from, writer->page, length / writer->page, hashes);
    return write_needed(writer, piece, at, hashes, length);
}

/* Writes extents for pages that the files before have and that are zeros now, or no longer exist. */
static int write_zeros(struct sheaf_writer *writer, const struct sheaf_piece *piece)
{
    size_t page = writer->page, pages = writer->earlier->used, most = SHEAF_SNAPSHOT_EXTENT / page;
    const uint64_t *earlier = writer->earlier->hashes, *now = writer->hashes->hashes;
    for (size_t from = 0, to; from < pages; from = to + 1) {
        for (to = from; to < pages && to - from < most && earlier[to] && !now[to];)
            to++;
        struct sheaf_snapshot_extent extent = {.segment = piece->segment, .coding = SHEAF_SNAPSHOT_ZERO,
                                               .offset = piece->offset + from * page,
                                               .length = (uint32_t)((to - from) * page)};
        if (to > from && add_extent(writer, &extent) != 0)
            return -1;
        if (to - from == most)
            to--;
    }
    return 0;
}

int sheaf_writer_begin(struct sheaf_writer *writer)
{
    writer->at = writer->begun = SHEAF_SNAPSHOT_HEADER;
    writer->buffer = mmap(NULL, 3 * RUN, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (writer->buffer == MAP_FAILED) {
        writer->buffer = NULL;
        return -1;
    }
    writer->packed = writer->buffer + RUN;
    writer->staged = writer->packed + RUN;
    return 0;
}

int sheaf_writer_memory(struct sheaf_writer *writer, const struct sheaf_piece *piece)
{
    struct sheaf_known_piece *now = writer->now ? sheaf_known_add(writer->now, piece, writer->page) : NULL;
    const struct sheaf_known_piece *then =
        now && writer->before ? sheaf_known_find(writer->before, now) : NULL;
    if (writer->now && !now)
        return -1;
    writer->hashes = now;
    writer->earlier = then;
    if (sheaf_pages_each(piece, RUN, write_pages, writer) != 0)
        return -1;
    return then ? write_zeros(writer, piece) : 0;
}

int sheaf_writer_part(struct sheaf_writer *writer, struct sheaf_snapshot_part *part, const void *bytes,
                      size_t length)
{
    *part = (struct sheaf_snapshot_part){writer->at, length, sheaf_hash(bytes, length)};
    return write_bytes(writer, bytes, length);
}

int sheaf_writer_finish(struct sheaf_writer *writer, struct sheaf_snapshot_header *header)
{
    char text[SHEAF_SNAPSHOT_HEADER] = "";
    if (sheaf_writer_part(writer, &header->table, writer->table,
                          writer->extents * sizeof *writer->table) != 0)
        return -1;
    header->length = writer->at;
    header->hash = sheaf_hash(header, offsetof(struct sheaf_snapshot_header, hash));
    memcpy(text, header, sizeof *header);
    writer->at = 0;
    return write_bytes(writer, text, sizeof text);
}

void sheaf_writer_end(struct sheaf_writer *writer)
{
    if (writer->buffer)
        munmap(writer->buffer, 3 * RUN);
    free(writer->table);
    writer->buffer = NULL;
    writer->table = NULL;
}
