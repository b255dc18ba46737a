/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes this PE's state: see pe_state.h. Memory goes through a buffer, so that the checksum is that of the
 * bytes written, whatever the program's threads do; pages of zeros are left out.
 */
#include "snapshot/pe_state.h"

#include "base/os/os.h"
#include "core/memory/blocks.h"
#include "core/pe/job.h"
#include "image/image.h"
#include "snapshot/hash.h"
#include "snapshot/pages.h"
#include "snapshot/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The disk begins while the next bytes are prepared. */
#define BEGIN_AT ((uint64_t)16 << 20)

struct writer {
    int fd;
    uint64_t at, begun; /* bytes of the file: written, and handed to the disk */
    size_t page;
    char *buffer;       /* of SHEAF_SNAPSHOT_EXTENT bytes */
    struct sheaf_snapshot_extent *table;
    uint64_t extents, room;
};

static int write_all(struct writer *writer, const void *bytes, size_t length)
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

static int add_extent(struct writer *writer, const struct sheaf_snapshot_extent *extent)
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

static int write_run(struct writer *writer, const struct sheaf_piece *piece, size_t at, const char *bytes,
                     size_t length)
{
    struct sheaf_snapshot_extent extent = {.segment = piece->segment,
                                           .coding = SHEAF_SNAPSHOT_PLAIN,
                                           .offset = piece->offset + at,
                                           .length = (uint32_t)length,
                                           .stored = (uint32_t)length,
                                           .place = writer->at,
                                           .hash = sheaf_hash(bytes, length)};
    return write_all(writer, bytes, length) || add_extent(writer, &extent) ? -1 : 0;
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

/* sheaf_pages_use: pages that exist. */
static int write_pages(void *context, const struct sheaf_piece *piece, size_t at, size_t length)
{
    struct writer *writer = context;
    size_t page = writer->page;
    sheaf_copy_image(writer->buffer, piece->start + at, length);
    for (size_t from = 0, to; from < length; from = to + page) {
        for (to = from; to < length && !is_zero(writer->buffer + to, page);)
            to += page;
        if (to > from && write_run(writer, piece, at + from, writer->buffer + from, to - from) != 0)
            return -1;
    }
    return 0;
}

static int write_part(struct writer *writer, struct sheaf_snapshot_part *part, const void *bytes,
                      size_t length)
{
    *part = (struct sheaf_snapshot_part){writer->at, length, sheaf_hash(bytes, length)};
    return write_all(writer, bytes, length);
}

static int write_header(struct writer *writer, struct sheaf_snapshot_header *header)
{
    char text[SHEAF_SNAPSHOT_HEADER] = "";
    header->length = writer->at;
    header->hash = sheaf_hash(header, offsetof(struct sheaf_snapshot_header, hash));
    memcpy(text, header, sizeof *header);
    writer->at = 0;
    return write_all(writer, text, sizeof text);
}

static struct sheaf_snapshot_header describe(const struct sheaf_snapshot_id *id)
{
    const struct sheaf_segment *segments = sheaf_image.segments;
    struct sheaf_snapshot_header header = {.version = SHEAF_SNAPSHOT_VERSION,
                                           .page = (uint32_t)sheaf_os_page_size(),
                                           .id = *id,
                                           .npes = sheaf_job.npes,
                                           .pe = sheaf_job.pe,
                                           .program = sheaf_image.program_hash,
                                           .is_guarded = sheaf_blocks_are_guarded(),
                                           .data = (uintptr_t)segments[SHEAF_SEGMENT_DATA].start,
                                           .data_length = segments[SHEAF_SEGMENT_DATA].length,
                                           .heap = (uintptr_t)segments[SHEAF_SEGMENT_HEAP].start,
                                           .heap_length = sheaf_image.heap_length,
                                           .heap_limit = segments[SHEAF_SEGMENT_HEAP].length};
    memcpy(header.magic, SHEAF_SNAPSHOT_MAGIC, sizeof header.magic);
    memcpy(header.build_id, sheaf_image_build_id(), sizeof header.build_id);
    return header;
}

static int write_state(struct writer *writer, struct sheaf_snapshot_header *header,
                       struct sheaf_snapshot_reason *why)
{
    void *state;
    size_t length;
    if (sheaf_state_save(&state, &length, why) != 0)
        return -1;
    int failed = write_part(writer, &header->state, state, length);
    free(state);
    return failed;
}

static int write_file(struct writer *writer, const struct sheaf_pieces *pieces,
                      struct sheaf_snapshot_header *header, struct sheaf_snapshot_reason *why)
{
    int failed = 0;
    writer->at = writer->begun = SHEAF_SNAPSHOT_HEADER;
    for (int i = 0; i < pieces->count && !failed; i++)
        failed = sheaf_pages_each(&pieces->list[i], SHEAF_SNAPSHOT_EXTENT, write_pages, writer);
    if (failed || write_state(writer, header, why) != 0 ||
        write_part(writer, &header->table, writer->table, writer->extents * sizeof *writer->table) != 0)
        return -1;
    return write_header(writer, header);
}

int sheaf_snapshot_write(int fd, const struct sheaf_snapshot_id *id, uint64_t *bytes,
                         struct sheaf_snapshot_reason *why)
{
    struct sheaf_pieces pieces;
    struct sheaf_snapshot_header header = describe(id);
    struct writer writer = {.fd = fd, .page = sheaf_os_page_size()};
    if (sheaf_pieces_find(&pieces, why) != 0)
        return -1;
    writer.buffer = mmap(NULL, SHEAF_SNAPSHOT_EXTENT, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                         -1, 0);
    if (writer.buffer == MAP_FAILED)
        return sheaf_snapshot_explain(why, "no memory for a buffer");
    int failed = write_file(&writer, &pieces, &header, why);
    if (failed && !why->text[0])
        sheaf_snapshot_explain(why, "its file cannot be written: %s", strerror(errno));
    *bytes = header.length;
    munmap(writer.buffer, SHEAF_SNAPSHOT_EXTENT);
    free(writer.table);
    return failed;
}
