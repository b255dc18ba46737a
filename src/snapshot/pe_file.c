/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See pe_file.h. Where this process has taken the snapshot that is being replaced, it writes an
 * incremental file. A file that is read may come from another user, or be damaged or cut: nothing in it is
 * used before it has been checked, and no memory of this process changes before the complete file has been
 * checked.
 */
#include "snapshot/pe_file.h"

#include "base/os/os.h"
#include "core/memory/blocks.h"
#include "core/pe/job.h"
#include "image/image.h"
#include "snapshot/file/bytes.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/hash.h"
#include "snapshot/file/pages.h"
#include "snapshot/file/writer.h"
#include "snapshot/memory.h"
#include "snapshot/state.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The last snapshot that was taken, and the one being taken. */
struct taken {
    struct sheaf_snapshot_id id; /* 0: none */
    struct sheaf_known pages;
    uint64_t full, added;        /* bytes of the full file, and of the incremental ones */
    uint32_t parts;              /* files before the newest */
};
static struct taken last_taken, next_taken;

/* Links the files of the last snapshot into the new folder, as name.N. Returns -1 where one of them is
 * missing, or the file system has no hard links. */
static int link_parts(int from, int to, const char *name)
{
    char part[SHEAF_SNAPSHOT_FILE_NAME];
    for (uint32_t i = 0; i <= last_taken.parts; i++) {
        sheaf_folder_name_part(part, name, (int)i);
        if (linkat(from, i < last_taken.parts ? part : name, to, part, 0) != 0)
            return -1;
    }
    return 0;
}

static void unlink_parts(int folder, const char *name)
{
    char part[SHEAF_SNAPSHOT_FILE_NAME];
    for (uint32_t i = 0; i <= last_taken.parts; i++) {
        sheaf_folder_name_part(part, name, (int)i);
        unlinkat(folder, part, 0);
    }
}

static bool is_last_snapshot(int folder, const char *name)
{
    struct sheaf_snapshot_header header;
    struct sheaf_snapshot_reason unused;
    int fd = sheaf_folder_open_file(folder, name, &unused);
    bool is = fd >= 0 && pread(fd, &header, sizeof header, 0) == sizeof header &&
              sheaf_snapshot_same(&header.id, &last_taken.id);
    if (fd >= 0)
        close(fd);
    return is;
}

/* Links the files that a new one can be incremental to. A full file is written again once the
 * incremental ones together are longer than the full one. */
static bool link_earlier_files(const struct sheaf_snapshot_folder *place, const char *name)
{
    bool taken = false;
    if ((!last_taken.id.words[0] && !last_taken.id.words[1]) ||
        last_taken.parts + 1 >= SHEAF_SNAPSHOT_PARTS || last_taken.added > last_taken.full)
        return false;
    int folder = sheaf_folder_open_before(place);
    if (folder >= 0 && is_last_snapshot(folder, name)) {
        taken = link_parts(folder, place->part, name) == 0;
        if (!taken)
            unlink_parts(place->part, name);
    }
    if (folder >= 0)
        close(folder);
    return taken;
}

static struct sheaf_snapshot_header header_of(const struct sheaf_snapshot_id *id)
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

static int write_library_state(struct sheaf_writer *writer, struct sheaf_snapshot_header *header,
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

/* The fastest level: compression costs processor time. */
static int zstd_level(void)
{
    return sheaf_job.settings.snapshot_compress == SHEAF_COMPRESS_ZSTD && sheaf_zstd_is_there() ? 1 : 0;
}

static int write_file(struct sheaf_writer *writer, const struct sheaf_pieces *pieces,
                      struct sheaf_snapshot_header *header, struct sheaf_snapshot_reason *why)
{
    int failed = sheaf_writer_begin(writer);
    for (int i = 0; i < pieces->count && !failed; i++)
        failed = sheaf_writer_memory(writer, &pieces->list[i]);
    if (failed || write_library_state(writer, header, why) != 0)
        return -1;
    return sheaf_writer_finish(writer, header);
}

int sheaf_snapshot_write(const struct sheaf_snapshot_folder *place, const char *name,
                         const struct sheaf_snapshot_id *id, bool full, struct sheaf_snapshot_reason *why)
{
    struct sheaf_pieces pieces;
    struct sheaf_snapshot_header header = header_of(id);
    bool adds = !full && link_earlier_files(place, name);
    sheaf_known_drop(&next_taken.pages);
    next_taken = (struct taken){.id = *id, .parts = adds ? last_taken.parts + 1 : 0};
    header.parts = next_taken.parts;
    if (adds)
        header.before = last_taken.id;
    struct sheaf_writer writer = {.page = sheaf_os_page_size(), .level = zstd_level(),
                                  .now = &next_taken.pages,
                                  .before = adds ? &last_taken.pages : NULL};
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
    next_taken.full = adds ? last_taken.full : header.length;
    next_taken.added = adds ? last_taken.added + header.length : 0;
    return failed ? -1 : 0;
}

void sheaf_snapshot_written(void)
{
    sheaf_known_drop(&last_taken.pages);
    last_taken = next_taken;
    next_taken = (struct taken){0};
}

/* The most bytes of state for teams and contexts. */
#define MOST_HANDLES ((uint64_t)1 << 20)

static int explain_damaged_file(struct sheaf_snapshot_reason *why, const char *what)
{
    return sheaf_snapshot_explain_damage(why, "its file of PE %d is damaged or cut: %s%s%s", sheaf_job.pe,
                                         what, errno ? ": " : "", errno ? strerror(errno) : "");
}

static int read_header(struct sheaf_snapshot_file *file, struct sheaf_snapshot_reason *why)
{
    struct sheaf_snapshot_header *header = &file->header;
    struct stat status;
    errno = 0;
    if (sheaf_read_bytes(file->fd, header, sizeof *header, 0) != 0 || fstat(file->fd, &status) != 0)
        return explain_damaged_file(why, "it is too short for a header");
    if (memcmp(header->magic, SHEAF_SNAPSHOT_MAGIC, sizeof header->magic) != 0)
        return sheaf_snapshot_explain_damage(why, "its file of PE %d is none of a snapshot", sheaf_job.pe);
    if (header->version != SHEAF_SNAPSHOT_VERSION)
        return sheaf_snapshot_explain_damage(why,
                                             "its file of PE %d is of version %u, and this library reads "
                                             "version %d", sheaf_job.pe, header->version,
                                             SHEAF_SNAPSHOT_VERSION);
    if (header->kind != SHEAF_SNAPSHOT_TAKEN)
        return explain_damaged_file(why, "it is no snapshot's");
    if (header->hash != sheaf_hash(header, offsetof(struct sheaf_snapshot_header, hash)))
        return explain_damaged_file(why, "the header's checksum");
    if ((uint64_t)status.st_size != header->length)
        return sheaf_snapshot_explain_damage(why,
                                             "its file of PE %d is damaged or cut: it has %lld bytes and "
                                             "should have %llu", sheaf_job.pe, (long long)status.st_size,
                                             (unsigned long long)header->length);
    return 0;
}

/* Whether a file can have this length: at most its PE's memory, and bookkeeping that is smaller. */
static bool is_possible(uint64_t length)
{
    struct sheaf_pieces pieces;
    struct sheaf_snapshot_reason unused;
    return sheaf_pieces_find(&pieces, &unused) == 0 &&
           length <= 2 * sheaf_pieces_bytes(&pieces) + MOST_HANDLES + SHEAF_SNAPSHOT_HEADER;
}

bool sheaf_snapshot_has_file(int folder, int pe, const struct sheaf_snapshot_id *id)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    struct sheaf_snapshot_reason unused = {.text = ""};
    sheaf_folder_name_file(name, pe);
    struct sheaf_snapshot_file file = {.fd = sheaf_folder_open_file(folder, name, &unused)};
    bool has = file.fd >= 0 && read_header(&file, &unused) == 0 && file.header.pe == pe &&
               sheaf_snapshot_same(&file.header.id, id) && is_possible(file.header.length);
    if (file.fd >= 0)
        close(file.fd);
    return has;
}

static int check_job(const struct sheaf_snapshot_header *header, struct sheaf_snapshot_reason *why)
{
    if (header->npes != sheaf_job.npes)
        return sheaf_snapshot_explain(why, "it is of a job of %d PEs, and this one has %d: start as many",
                                      header->npes, sheaf_job.npes);
    if (header->pe != sheaf_job.pe)
        return sheaf_snapshot_explain_damage(why, "the file of PE %d is that of PE %d", sheaf_job.pe,
                                             header->pe);
    if (header->program != sheaf_image.program_hash)
        return sheaf_snapshot_explain(why,
                                      "it is of another program, with build-id %.12s, and this one's is "
                                      "%.12s", header->build_id[0] ? header->build_id : "none",
                                      sheaf_image_build_id());
    if (header->page != sheaf_os_page_size())
        return sheaf_snapshot_explain(why, "its pages have %u bytes, and this machine's %zu", header->page,
                                      sheaf_os_page_size());
    if ((header->is_guarded != 0) != sheaf_blocks_are_guarded())
        return sheaf_snapshot_explain(why,
                                      "one of both jobs has SHEAF_CHECK=memory, and the other has not");
    return 0;
}

/* Checks that variables and blocks have their former addresses, so that pointers in symmetric memory
 * stay valid. */
static int check_place(const char *what, uint64_t then, uint64_t then_length,
                       const struct sheaf_segment *now, struct sheaf_snapshot_reason *why)
{
    if (then == (uintptr_t)now->start)
        return 0;
    return sheaf_snapshot_explain(why,
                                  "%s lie at %p, %zu bytes, and lay at 0x%llx, %llu bytes: pointers to "
                                  "them would be wrong; start both jobs with oshrun --no-aslr and the same "
                                  "--heap", what, (void *)now->start, now->length, (unsigned long long)then,
                                  (unsigned long long)then_length);
}

static int check_layout(const struct sheaf_snapshot_header *header, struct sheaf_snapshot_reason *why)
{
    const struct sheaf_segment *segments = sheaf_image.segments;
    if (check_place("the program's variables", header->data, header->data_length,
                    &segments[SHEAF_SEGMENT_DATA], why) != 0)
        return -1;
    return check_place("the blocks of the heap", header->heap, header->heap_limit,
                       &segments[SHEAF_SEGMENT_HEAP], why);
}

/* Reads a part of the file. most: the most bytes that this PE's memory could need; a longer part is
 * refused before memory is allocated for it. */
static void *read_part(const struct sheaf_snapshot_file *file, const struct sheaf_snapshot_part *part,
                       uint64_t most, const char *what, struct sheaf_snapshot_reason *why)
{
    errno = 0;
    if (part->place > file->header.length || part->length > file->header.length - part->place) {
        explain_damaged_file(why, what);
        return NULL;
    }
    if (part->length > most) {
        sheaf_snapshot_explain_damage(why, "its file of PE %d has %llu bytes in %s, and this PE's memory "
                                      "needs %llu at most: the heap or a space was larger, or the file is "
                                      "damaged", sheaf_job.pe, (unsigned long long)part->length, what,
                                      (unsigned long long)most);
        return NULL;
    }
    void *bytes = malloc(part->length + 8);
    if (!bytes) {
        sheaf_snapshot_explain(why, "no memory for %llu bytes", (unsigned long long)part->length);
    } else if (sheaf_read_bytes(file->fd, bytes, part->length, part->place) != 0 ||
               sheaf_hash(bytes, part->length) != part->hash) {
        explain_damaged_file(why, what);
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

/* Reads an extent's bytes to buffer, which has room for two extents, and checks them. */
static int read_extent(const struct sheaf_snapshot_file *file, const struct sheaf_snapshot_extent *extent,
                       char *buffer, struct sheaf_snapshot_reason *why)
{
    char *packed = buffer + SHEAF_SNAPSHOT_EXTENT;
    errno = 0;
    if (extent->coding == SHEAF_SNAPSHOT_ZERO) {
        memset(buffer, 0, extent->length);
        return 0;
    }
    bool is_plain = extent->coding == SHEAF_SNAPSHOT_PLAIN;
    if (is_plain ? extent->stored != extent->length : extent->coding != SHEAF_SNAPSHOT_ZSTD)
        return explain_damaged_file(why, "the table of extents");
    if (sheaf_read_bytes(file->fd, is_plain ? buffer : packed, extent->stored, extent->place) != 0 ||
        extent->hash != (is_plain ? sheaf_hash_pages(buffer, extent->length, file->header.page)
                                  : sheaf_hash(packed, extent->stored)))
        return explain_damaged_file(why, "a checksum of its memory");
    if (is_plain || sheaf_zstd_unpack(buffer, extent->length, packed, extent->stored))
        return 0;
    return sheaf_zstd_is_there() ? explain_damaged_file(why, "its compressed bytes")
                                 : sheaf_snapshot_explain(why, "it is compressed, and libzstd.so.1 is not "
                                                               "installed here");
}

/* Whether an extent is valid. left: bytes of memory that no earlier extent of the file contains, since
 * no page is in two extents. */
static bool is_sound(const struct sheaf_snapshot_extent *extent, uint32_t page, uint64_t remaining)
{
    return extent->length > 0 && extent->length <= SHEAF_SNAPSHOT_EXTENT && extent->length <= remaining &&
           extent->length % page == 0 && extent->offset % page == 0 &&
           extent->stored <= SHEAF_SNAPSHOT_EXTENT;
}

/* Called for each extent with its address in this process, and its bytes. */
typedef void use_extent(char *place, const char *bytes, const struct sheaf_snapshot_extent *extent);

static int each_extent(const struct sheaf_snapshot_file *file, use_extent *use,
                       struct sheaf_snapshot_reason *why)
{
    struct sheaf_pieces pieces;
    int failed = sheaf_pieces_find(&pieces, why);
    uint64_t remaining = sheaf_pieces_bytes(&pieces);
    char *buffer = mmap(NULL, 2 * SHEAF_SNAPSHOT_EXTENT, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED)
        return sheaf_snapshot_explain(why, "no memory for a buffer");
    for (uint64_t i = 0; i < file->extents && !failed; i++) {
        const struct sheaf_snapshot_extent *extent = &file->table[i];
        errno = 0;
        char *place = sheaf_pieces_address(&pieces, extent->segment, extent->offset, extent->length);
        failed = !is_sound(extent, file->header.page, remaining)
                     ? explain_damaged_file(why, "the table of extents")
                 : !place ? sheaf_snapshot_explain(why,
                                                   "it has bytes where this PE has no symmetric memory: "
                                                   "the heap or a space was larger")
                          : read_extent(file, extent, buffer, why);
        remaining -= extent->length;
        if (!failed)
            use(place, buffer, extent);
    }
    munmap(buffer, 2 * SHEAF_SNAPSHOT_EXTENT);
    return failed;
}

static void ignore_extent(char *place, const char *bytes, const struct sheaf_snapshot_extent *extent)
{
    (void)place;
    (void)bytes;
    (void)extent;
}

/* The table has at most one extent for each page of memory. */
static int read_table(struct sheaf_snapshot_file *file, struct sheaf_snapshot_reason *why)
{
    struct sheaf_pieces pieces;
    if (sheaf_pieces_find(&pieces, why) != 0)
        return -1;
    uint64_t most = sheaf_pieces_bytes(&pieces) / file->header.page * sizeof *file->table;
    file->table = read_part(file, &file->header.table, most, "the table of extents", why);
    file->extents = file->header.table.length / sizeof *file->table;
    return file->table ? 0 : -1;
}

/* Reads one file, as far as the others are not needed. */
static int read_file(struct sheaf_snapshot_file *file, int fd, struct sheaf_snapshot_reason *why)
{
    *file = (struct sheaf_snapshot_file){.fd = fd};
    if (file->fd < 0 || read_header(file, why) != 0 || check_job(&file->header, why) != 0 ||
        check_layout(&file->header, why) != 0)
        return -1;
    return read_table(file, why);
}

/* Reads the files before the newest one, back to the full one. */
static int read_parts(struct sheaf_snapshot_files *files, int folder, const char *name,
                      struct sheaf_snapshot_reason *why)
{
    char part[SHEAF_SNAPSHOT_FILE_NAME];
    for (int i = files->count - 2; i >= 0; i--) {
        const struct sheaf_snapshot_header *after = &files->list[i + 1].header;
        sheaf_folder_name_part(part, name, i);
        if (read_file(&files->list[i], sheaf_folder_open_file(folder, part, why), why) != 0)
            return -1;
        if (files->list[i].header.parts != (uint32_t)i ||
            !sheaf_snapshot_same(&files->list[i].header.id, &after->before))
            return sheaf_snapshot_explain(why, "its file %s is of another snapshot", part);
    }
    return 0;
}

static int read_files(struct sheaf_snapshot_files *files, int folder, int fd,
                      const struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    struct sheaf_snapshot_file newest;
    sheaf_folder_name_file(name, sheaf_job.pe);
    int failed = read_file(&newest, fd >= 0 ? fd : sheaf_folder_open_file(folder, name, why), why);
    uint32_t parts = failed ? 0 : newest.header.parts;
    if (!failed && !sheaf_snapshot_same(id, &newest.header.id))
        failed = sheaf_snapshot_explain_damage(why, "its file of PE %d is of another snapshot",
                                               sheaf_job.pe);
    errno = 0;
    if (!failed && parts > SHEAF_SNAPSHOT_PARTS)
        failed = explain_damaged_file(why, "the number of its files");
    files->count = failed ? 1 : (int)parts + 1;
    files->list[files->count - 1] = newest;
    return failed ? -1 : read_parts(files, folder, name, why);
}

/* The list of blocks is shorter than the blocks themselves, which limits its length. */
static int read_state(struct sheaf_snapshot_files *files, bool exactly, struct sheaf_snapshot_reason *why)
{
    struct sheaf_pieces pieces;
    const struct sheaf_snapshot_file *newest = &files->list[files->count - 1];
    const struct sheaf_snapshot_part *state = &newest->header.state;
    if (sheaf_pieces_find(&pieces, why) != 0)
        return -1;
    files->state = read_part(newest, state, sheaf_pieces_bytes(&pieces) + MOST_HANDLES,
                             "the list of blocks", why);
    return files->state ? sheaf_state_check(files->state, state->length, exactly, why) : -1;
}

static int check_files(struct sheaf_snapshot_files *files, bool exactly, struct sheaf_snapshot_reason *why)
{
    if (read_state(files, exactly, why) != 0)
        return -1;
    for (int i = 0; i < files->count; i++)
        if (each_extent(&files->list[i], ignore_extent, why) != 0)
            return -1;
    return 0;
}

int sheaf_snapshot_open(struct sheaf_snapshot_files *files, int folder, int newest,
                        const struct sheaf_snapshot_id *id, bool exactly, struct sheaf_snapshot_reason *why)
{
    for (int i = 0; i <= SHEAF_SNAPSHOT_PARTS; i++)
        files->list[i] = (struct sheaf_snapshot_file){.fd = -1};
    if (read_files(files, folder, newest, id, why) == 0 && check_files(files, exactly, why) == 0)
        return 0;
    sheaf_snapshot_close(files);
    return -1;
}

void sheaf_snapshot_close(struct sheaf_snapshot_files *files)
{
    for (int i = 0; i < files->count; i++) {
        free(files->list[i].table);
        if (files->list[i].fd >= 0)
            close(files->list[i].fd);
    }
    free(files->state);
    *files = (struct sheaf_snapshot_files){.count = 0};
}

/* Copies bytes, except over libraries' variables among the program's, which stay as they are. */
static void put_bytes(char *place, const char *bytes, size_t length)
{
    size_t size;
    for (char *at = place, *end = place + length; at < end;) {
        char *library = sheaf_copied_next(at, &size);
        char *stop = library && library < end ? library : end;
        if (stop > at)
            sheaf_copy_image(at, bytes + (at - place), (size_t)(stop - at));
        at = library && library < end ? library + size : end;
    }
}

static void put_extent(char *place, const char *bytes, const struct sheaf_snapshot_extent *extent)
{
    if (extent->segment == SHEAF_SEGMENT_DATA)
        put_bytes(place, bytes, extent->length);
    else
        sheaf_copy_image(place, bytes, extent->length);
}

/* A sheaf_pages_use: clears pages that exist here and may not exist in the snapshot. */
static int clear_piece(void *zeros, const struct sheaf_piece *piece, size_t at, size_t length)
{
    struct sheaf_snapshot_extent extent = {.segment = piece->segment, .length = (uint32_t)length};
    put_extent(piece->start + at, zeros, &extent);
    return 0;
}

static int clear_memory(struct sheaf_snapshot_reason *why)
{
    struct sheaf_pieces pieces;
    char *zeros = mmap(NULL, SHEAF_SNAPSHOT_EXTENT, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (zeros == MAP_FAILED)
        return sheaf_snapshot_explain(why, "no memory for a buffer");
    int failed = sheaf_pieces_find(&pieces, why);
    for (int i = 0; i < pieces.count && !failed; i++)
        failed = sheaf_pages_each(&pieces.list[i], SHEAF_SNAPSHOT_EXTENT, clear_piece, zeros);
    munmap(zeros, SHEAF_SNAPSHOT_EXTENT);
    return failed;
}

int sheaf_snapshot_load(const struct sheaf_snapshot_files *files, struct sheaf_snapshot_reason *why)
{
    int failed = clear_memory(why);
    for (int i = 0; i < files->count && !failed; i++)
        failed = each_extent(&files->list[i], put_extent, why);
    return failed ? -1 : 0;
}
