/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See post_mortem.h. The PEs are dead, so only their entries in the control area describe their
 * memory. Only the PEs knew their blocks.
 */
#include "oshrun/supervise/post_mortem.h"

#include "base/os/os.h"
#include "oshrun/command/save_on_failure.h"
#include "snapshot/file/bytes.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* One PE's memory in the job's file. */
struct remains {
    struct supervisor *supervisor;
    const struct sheaf_control *control;
    const struct sheaf_pe *pe;
    struct sheaf_snapshot_header header;
    uint64_t slot; /* where it begins in the file */
};

static bool has_memory(const struct remains *remains)
{
    return remains->pe->data_length > 0 || remains->pe->heap_address != 0;
}

/* Limits a value that a PE has written to the bounds of its slot: such values are not trusted. */
static uint64_t limit_to(uint64_t length, uint64_t most)
{
    return (length < most ? length : most) / sheaf_os_page_size() * sheaf_os_page_size();
}

static struct remains remains_of(struct supervisor *supervisor, int pe, const struct sheaf_snapshot_id *id)
{
    struct sheaf_control *control = supervisor->job->control;
    struct remains remains = {.supervisor = supervisor, .control = control,
                              .pe = sheaf_control_pe(control, pe),
                              .slot = control->slots_offset + (uint64_t)pe * control->slot_stride};
    uint64_t half = control->slot_stride / 2;
    uint64_t heap = remains.pe->heap_address ? limit_to(control->layout_heap, half) : 0;
    remains.header = (struct sheaf_snapshot_header){
        .version = SHEAF_SNAPSHOT_VERSION, .page = (uint32_t)sheaf_os_page_size(), .id = *id,
        .npes = control->npes, .pe = pe, .program = remains.pe->executable,
        .kind = SHEAF_SNAPSHOT_POST_MORTEM, .data = remains.pe->data_address,
        .data_length = limit_to(remains.pe->data_length, half), .heap = remains.pe->heap_address,
        .heap_length = heap, .heap_limit = heap};
    memcpy(remains.header.magic, SHEAF_SNAPSHOT_MAGIC, sizeof remains.header.magic);
    snprintf(remains.header.build_id, sizeof remains.header.build_id, "%.39s", remains.pe->build_id);
    return remains;
}

/* A sheaf_writer_read: reads from the job's file, which no longer has to be mapped, until a signal ends
 * oshrun. */
static int read_remains(void *context, void *to, const struct sheaf_piece *piece, size_t at, size_t length)
{
    const struct remains *remains = context;
    if (sheaf_signal_ends(remains->supervisor)) {
        errno = EINTR;
        return -1;
    }
    return sheaf_read_bytes(piece->fd, to, length, piece->file_offset + at);
}

static int write_piece(struct sheaf_writer *writer, const struct remains *remains, uint32_t segment,
                       uint64_t length, uint64_t file_offset)
{
    struct sheaf_piece piece = {.segment = segment, .length = length, .file_offset = file_offset,
                                .fd = remains->supervisor->job->fd};
    return length > 0 ? sheaf_writer_memory(writer, &piece) : 0;
}

/* The length of a space; its copy lies behind the heap, in the same slot. */
static uint64_t space_length(const struct remains *remains, const struct sheaf_space_note *note)
{
    uint64_t inside = note->file_offset - remains->slot;
    if (note->file_offset < remains->slot || inside >= remains->control->slot_stride ||
        inside % sheaf_os_page_size() != 0)
        return 0;
    return limit_to(note->length, remains->control->slot_stride - inside);
}

static int write_memory(struct sheaf_writer *writer, const struct remains *remains)
{
    const struct sheaf_snapshot_header *header = &remains->header;
    uint64_t slot = remains->slot, heap = slot + remains->control->slot_stride / 2;
    bool is_child = remains->pe->data_file_offset == slot + remains->control->slot_stride / 4;
    uint64_t data = is_child ? remains->pe->data_file_offset : slot; /* sheaf_image_leave_parent() */
    int failed = write_piece(writer, remains, SHEAF_SEGMENT_DATA, header->data_length, data) != 0 ||
                 write_piece(writer, remains, SHEAF_SEGMENT_HEAP, header->heap_length, heap) != 0;
    for (uint32_t i = 0; i < SHEAF_MOST_SPACES && !failed; i++) {
        const struct sheaf_space_note *note = &remains->pe->spaces[i];
        failed = write_piece(writer, remains, SHEAF_SEGMENTS + i, space_length(remains, note),
                             note->file_offset) != 0;
    }
    return failed ? -1 : 0;
}

/* Writes the addresses of heap and spaces. */
static int write_state(struct sheaf_writer *writer, struct remains *remains)
{
    struct {
        struct sheaf_snapshot_counts counts;
        struct sheaf_snapshot_memory memory[1 + SHEAF_MOST_SPACES];
    } state = {.memory[0] = {.address = remains->header.heap, .length = remains->header.heap_length}};
    uint64_t count = 1;
    for (uint32_t i = 0; i < SHEAF_MOST_SPACES; i++) {
        const struct sheaf_space_note *note = &remains->pe->spaces[i];
        uint64_t length = space_length(remains, note);
        if (length > 0)
            state.memory[count++] = (struct sheaf_snapshot_memory){i, note->address, length, 0, 0};
    }
    state.counts.spaces = count - 1;
    return sheaf_writer_part(writer, &remains->header.state, &state,
                             sizeof state.counts + count * sizeof *state.memory);
}

static int write_file(struct remains *remains, int fd)
{
    struct sheaf_writer writer = {.fd = fd, .page = sheaf_os_page_size(), .read = read_remains,
                                  .context = remains};
    int failed = sheaf_writer_begin(&writer) != 0 || write_memory(&writer, remains) != 0 ||
                 write_state(&writer, remains) != 0 ||
                 sheaf_writer_finish(&writer, &remains->header) != 0 || fsync(fd) != 0;
    int error = errno;
    sheaf_writer_end(&writer);
    errno = error;
    return failed ? -1 : 0;
}

/* Writes one PE's file, and adds its bytes to total. */
static int write_pe(struct remains *remains, int folder, uint64_t *total, struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, remains->header.pe);
    int fd = sheaf_folder_create_file(folder, name, why);
    if (fd < 0)
        return -1;
    int failed = write_file(remains, fd);
    if (failed)
        sheaf_snapshot_explain(why, "its file %s cannot be written: %s", name, strerror(errno));
    close(fd);
    *total += remains->header.length;
    return failed;
}

static int write_all(struct supervisor *supervisor, struct sheaf_snapshot_folder *folder,
                     const struct sheaf_snapshot_id *id, uint64_t *total, struct sheaf_snapshot_reason *why)
{
    struct sheaf_manifest manifest = {.id = *id, .npes = supervisor->options->npes, .stride = 1,
                                      .size = supervisor->options->npes,
                                      .heap = supervisor->job->control->layout_heap,
                                      .kind = SHEAF_SNAPSHOT_POST_MORTEM};
    bool is_empty = true;
    for (int pe = 0; pe < manifest.npes; pe++) {
        struct remains remains = remains_of(supervisor, pe, id);
        is_empty &= !has_memory(&remains);
        if (write_pe(&remains, folder->part, total, why) != 0)
            return -1;
        if (pe == 0)
            memcpy(manifest.build_id, remains.header.build_id, sizeof manifest.build_id);
    }
    if (is_empty)
        return sheaf_snapshot_explain(why, "no PE had come to shmem_init");
    if (sheaf_manifest_write(folder->part, &manifest, why) != 0)
        return -1;
    return sheaf_folder_publish(folder, why);
}

static char *describe_saved(const struct supervisor *supervisor, const char *folder, const char *tag,
                            uint64_t total, const struct sheaf_snapshot_reason *why)
{
    char *text;
    int length =
        why->text[0]
            ? asprintf(&text, "oshrun: the PEs' memory is not saved in %s: %s [SH801]\n", folder, why->text)
            : asprintf(&text, "oshrun: the memory of %d PE%s is saved, %.1f MiB: oshdump %s %s/%s --list\n",
                       supervisor->options->npes, supervisor->options->npes == 1 ? "" : "s",
                       (double)total / (1 << 20), supervisor->spawn->pes[0].path, folder, tag);
    return length < 0 ? NULL : text;
}

char *sheaf_post_mortem_write(struct supervisor *supervisor)
{
    const char *dir = sheaf_save_on_failure_folder(supervisor->options);
    struct sheaf_snapshot_folder folder = {.dir = -1, .part = -1};
    struct sheaf_snapshot_reason why = {.text = ""};
    struct sheaf_snapshot_id id;
    uint64_t total = 0;
    char tag[32];
    if (!dir || !supervisor->has_failed)
        return NULL;
    snprintf(tag, sizeof tag, "job-%016llx", (unsigned long long)supervisor->job->control->job_id);
    if (getrandom(&id, sizeof id, 0) != sizeof id)
        sheaf_snapshot_explain(&why, "there are no random numbers");
    else if (sheaf_folder_create(&folder, dir, tag, &id, false, &why) == 0) {
        sheaf_folder_remove_dead(&folder, false);
        if (write_all(supervisor, &folder, &id, &total, &why) != 0)
            sheaf_folder_drop(&folder);
    }
    sheaf_folder_close(&folder);
    return describe_saved(supervisor, dir, tag, total, &why);
}
