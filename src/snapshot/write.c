/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes this PE's state: see pe_state.h. Where this process has taken the snapshot that is there already,
 * the file adds to that one's files.
 */
#include "snapshot/pe_state.h"

#include "base/os/os.h"
#include "core/memory/blocks.h"
#include "core/pe/job.h"
#include "image/image.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/writer.h"
#include "snapshot/file/zstd.h"
#include "snapshot/piece.h"
#include "snapshot/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The snapshot that was taken last, and the one under way. */
struct taken {
    struct sheaf_snapshot_id id; /* 0: none */
    struct sheaf_known pages;
    uint64_t whole, added;       /* bytes of the file that is whole, and of those that add to it */
    uint32_t parts;              /* before it */
};
static struct taken last, next;

/* Files of a folder that become files of another by links, as name.N: those of the last snapshot. -1 where
 * one of them is not there, or the file system has no links. */
static int link_parts(int from, int to, const char *name)
{
    char part[SHEAF_SNAPSHOT_FILE_NAME];
    for (uint32_t i = 0; i <= last.parts; i++) {
        sheaf_folder_name_part(part, name, (int)i);
        if (linkat(from, i < last.parts ? part : name, to, part, 0) != 0)
            return -1;
    }
    return 0;
}

static void unlink_parts(int folder, const char *name)
{
    char part[SHEAF_SNAPSHOT_FILE_NAME];
    for (uint32_t i = 0; i <= last.parts; i++) {
        sheaf_folder_name_part(part, name, (int)i);
        unlinkat(folder, part, 0);
    }
}

static bool is_last(int folder, const char *name)
{
    struct sheaf_snapshot_header header;
    struct sheaf_snapshot_reason unused;
    int fd = sheaf_folder_open_file(folder, name, &unused);
    bool is = fd >= 0 && pread(fd, &header, sizeof header, 0) == sizeof header &&
              sheaf_snapshot_same(&header.id, &last.id);
    if (fd >= 0)
        close(fd);
    return is;
}

/* A whole file is written again before all that add to it are as long as it is. */
static bool take_over(const struct sheaf_snapshot_folder *place, const char *name)
{
    bool taken = false;
    if ((!last.id.words[0] && !last.id.words[1]) || last.parts + 1 >= SHEAF_SNAPSHOT_PARTS ||
        last.added > last.whole)
        return false;
    int folder = sheaf_folder_open_before(place);
    if (folder >= 0 && is_last(folder, name)) {
        taken = link_parts(folder, place->part, name) == 0;
        if (!taken)
            unlink_parts(place->part, name);
    }
    if (folder >= 0)
        close(folder);
    return taken;
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

static int write_state(struct sheaf_writer *writer, struct sheaf_snapshot_header *header,
                       struct sheaf_snapshot_reason *why)
{
    void *state;
    size_t length;
    if (sheaf_state_save(&state, &length, why) != 0)
        return -1;
    int failed = sheaf_writer_part(writer, &header->state, state, length);
    free(state);
    return failed;
}

/* The fastest: what it takes is the processor's time. */
static int level(void)
{
    return sheaf_job.settings.snapshot_compress == SHEAF_COMPRESS_ZSTD && sheaf_zstd_is_there() ? 1 : 0;
}

static int write_file(struct sheaf_writer *writer, const struct sheaf_pieces *pieces,
                      struct sheaf_snapshot_header *header, struct sheaf_snapshot_reason *why)
{
    int failed = sheaf_writer_begin(writer);
    for (int i = 0; i < pieces->count && !failed; i++)
        failed = sheaf_writer_memory(writer, &pieces->list[i]);
    if (failed || write_state(writer, header, why) != 0)
        return -1;
    return sheaf_writer_finish(writer, header);
}

int sheaf_snapshot_write(const struct sheaf_snapshot_folder *place, const char *name,
                         const struct sheaf_snapshot_id *id, bool whole, struct sheaf_snapshot_reason *why)
{
    struct sheaf_pieces pieces;
    struct sheaf_snapshot_header header = describe(id);
    bool adds = !whole && take_over(place, name);
    sheaf_known_drop(&next.pages);
    next = (struct taken){.id = *id, .parts = adds ? last.parts + 1 : 0};
    header.parts = next.parts;
    if (adds)
        header.before = last.id;
    struct sheaf_writer writer = {.page = sheaf_os_page_size(), .level = level(),
                                  .now = &next.pages,
                                  .before = adds ? &last.pages : NULL};
    if (sheaf_pieces_find(&pieces, why) != 0)
        return -1;
    writer.fd = sheaf_folder_create_file(place->part, name, why);
    if (writer.fd < 0)
        return -1;
    int failed = write_file(&writer, &pieces, &header, why) != 0 || fsync(writer.fd) != 0;
    if (failed && !why->text[0])
        sheaf_snapshot_explain(why, "its file %s cannot be written: %s", name, strerror(errno));
    close(writer.fd);
    sheaf_writer_end(&writer);
    next.whole = adds ? last.whole : header.length;
    next.added = adds ? last.added + header.length : 0;
    return failed ? -1 : 0;
}

void sheaf_snapshot_written(void)
{
    sheaf_known_drop(&last.pages);
    last = next;
    next = (struct taken){0};
}
