/* SPDX-License-Identifier: BSD-3-Clause
 * See writer.h.
 */
#include "snapshot/file/writer.h"

#include "snapshot/file/hash.h"
#include "snapshot/file/zstd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The disk begins while the next bytes are prepared. */
#define BEGIN_AT ((uint64_t)16 << 20)

static int write_all(struct sheaf_writer *writer, const void *bytes, size_t length)
{
    const char *from = bytes;
    while (length > 0) {
        ssize_t done = pwrite(writer->fd, from, length, (off_t)writer->at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        from += done;
        length -= (size_t)done;
        writer->at += (uint64_t)done;
    }
    if (writer->at - writer->begun >= BEGIN_AT) {
        sync_file_range(writer->fd, (off_t)writer->begun, (off_t)(writer->at - writer->begun),
                        SYNC_FILE_RANGE_WRITE);
        writer->begun = writer->at;
    }
    return 0;
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

/* A run of pages, whose checksum is known. */
static int write_run(struct sheaf_writer *writer, const struct sheaf_piece *piece, size_t at,
                     const char *bytes, size_t length, uint64_t hash)
{
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
    return write_all(writer, packed ? writer->packed : bytes, extent.stored) != 0 ||
                   add_extent(writer, &extent) != 0
               ? -1
               : 0;
}

static bool is_zero(const char *page, size_t length)
{
    const uint64_t *words = (const uint64_t *)(const void *)page;
    uint64_t any = 0;
    for (size_t i = 0; i < length / sizeof *words && !any; i += 8)
        any = words[i] | words[i + 1] | words[i + 2] | words[i + 3] | words[i + 4] | words[i + 5] |
              words[i + 6] | words[i + 7];
    return any == 0;
}

/* The checksum of a page that is to be written; 0: it is of zeros, or the files before have it. */
static uint64_t look_at(struct sheaf_writer *writer, size_t at, const char *bytes)
{
    size_t page = writer->page, number = at / page;
    if (is_zero(bytes, page))
        return 0;
    uint64_t hash = sheaf_hash(bytes, page);
    if (writer->hashes)
        writer->hashes[number] = hash;
    return writer->earlier && writer->earlier[number] == hash ? 0 : hash;
}

/* sheaf_pages_use: pages that exist. */
static int write_pages(void *context, const struct sheaf_piece *piece, size_t at, size_t length)
{
    struct sheaf_writer *writer = context;
    size_t page = writer->page;
    if (writer->read(writer->context, writer->buffer, piece, at, length) != 0)
        return -1;
    for (size_t from = 0, to; from < length; from = to + page) {
        uint64_t one = 0, all = 0;
        for (to = from; to < length && (one = look_at(writer, at + to, writer->buffer + to));) {
            all = sheaf_hash_step(all, one);
            to += page;
        }
        if (to > from && write_run(writer, piece, at + from, writer->buffer + from, to - from,
                                   sheaf_hash_pages_end(all, to - from)) != 0)
            return -1;
    }
    return 0;
}

/* Pages that the files before hold and that are zeros now, or do not exist any more. */
static int write_zeros(struct sheaf_writer *writer, const struct sheaf_piece *piece)
{
    size_t page = writer->page, pages = piece->length / page, most = SHEAF_SNAPSHOT_EXTENT / page;
    for (size_t from = 0, to; from < pages; from = to + 1) {
        for (to = from; to < pages && to - from < most && writer->earlier[to] && !writer->hashes[to];)
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
    writer->buffer = mmap(NULL, 2 * SHEAF_SNAPSHOT_EXTENT, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (writer->buffer == MAP_FAILED) {
        writer->buffer = NULL;
        return -1;
    }
    writer->packed = writer->buffer + SHEAF_SNAPSHOT_EXTENT;
    return 0;
}

int sheaf_writer_memory(struct sheaf_writer *writer, const struct sheaf_piece *piece)
{
    struct sheaf_known_piece *now = writer->now ? sheaf_known_add(writer->now, piece, writer->page) : NULL;
    const struct sheaf_known_piece *then =
        now && writer->before ? sheaf_known_find(writer->before, now) : NULL;
    if (writer->now && !now)
        return -1;
    writer->hashes = now ? now->hashes : NULL;
    writer->earlier = then ? then->hashes : NULL;
    if (sheaf_pages_each(piece, SHEAF_SNAPSHOT_EXTENT, write_pages, writer) != 0)
        return -1;
    return then ? write_zeros(writer, piece) : 0;
}

int sheaf_writer_part(struct sheaf_writer *writer, struct sheaf_snapshot_part *part, const void *bytes,
                      size_t length)
{
    *part = (struct sheaf_snapshot_part){writer->at, length, sheaf_hash(bytes, length)};
    return write_all(writer, bytes, length);
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
    return write_all(writer, text, sizeof text);
}

void sheaf_writer_end(struct sheaf_writer *writer)
{
    if (writer->buffer)
        munmap(writer->buffer, 2 * SHEAF_SNAPSHOT_EXTENT);
    free(writer->table);
    writer->buffer = NULL;
    writer->table = NULL;
}
