/* SPDX-License-Identifier: BSD-3-Clause
 * See buddy.h.
 */
#include "snapshot/buddy.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/team/message.h"
#include "core/team/note.h"
#include "snapshot/file/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The bytes of a file that are sent at once: a message of this length is sent without asking the
 * receiver. */
#define PIECE_BYTES ((size_t)SHEAF_MESSAGE_ASKS / 2)

/* The files that this member sends or receives, and a buffer for a piece of each. */
struct transfers {
    struct sheaf_team *team;
    const struct sheaf_file_transfer **files;
    int count;
    char *pieces;
    struct sheaf_snapshot_reason *why;
};

static size_t length_at(const struct sheaf_file_transfer *file, uint64_t at)
{
    uint64_t left = at < file->length ? file->length - at : 0;
    return left < PIECE_BYTES ? (size_t)left : PIECE_BYTES;
}

static char *piece_of(const struct transfers *transfers, int i)
{
    return transfers->pieces + (size_t)i * PIECE_BYTES;
}

/* Where the file cannot be read, zeros are sent: the receiver waits for this many bytes, and the copy
 * is not used. */
static void read_piece(const struct transfers *transfers, int i, uint64_t at)
{
    const struct sheaf_file_transfer *file = transfers->files[i];
    char *piece = piece_of(transfers, i);
    size_t length = length_at(file, at);
    if (file->fd >= 0 && sheaf_read_bytes(file->fd, piece, length, at) == 0)
        return;
    memset(piece, 0, length);
    if (!transfers->why->text[0])
        sheaf_snapshot_explain(transfers->why, "a file for another host cannot be read: %s",
                               errno ? strerror(errno) : "it was cut");
}

static void write_piece(const struct transfers *transfers, int i, uint64_t at)
{
    const struct sheaf_file_transfer *file = transfers->files[i];
    const char *piece = piece_of(transfers, i);
    if (file->fd < 0 || transfers->why->text[0])
        return;
    if (sheaf_write_bytes(file->fd, piece, length_at(file, at), at) != 0)
        sheaf_snapshot_explain(transfers->why, "a file of another host cannot be written: %s",
                               strerror(errno));
}

/* Transfers one piece of each file, at the same offset. All members first post their receives, so that
 * no sender is waited for. */
static void transfer_pieces(const struct transfers *transfers, uint64_t at)
{
    struct sheaf_messages messages;
    int mine = transfers->team->rank;
    sheaf_messages_begin(&messages, transfers->team);
    for (int i = 0; i < transfers->count; i++)
        if (transfers->files[i]->to == mine)
            sheaf_messages_receive(&messages, transfers->files[i]->from, piece_of(transfers, i),
                                   length_at(transfers->files[i], at));
    for (int i = 0; i < transfers->count; i++)
        if (transfers->files[i]->from == mine) {
            read_piece(transfers, i, at);
            sheaf_messages_send(&messages, transfers->files[i]->to, piece_of(transfers, i),
                                length_at(transfers->files[i], at));
        }
    sheaf_messages_wait(&messages);
    for (int i = 0; i < transfers->count; i++)
        if (transfers->files[i]->to == mine)
            write_piece(transfers, i, at);
}

static void transfer_all(const struct transfers *transfers)
{
    uint64_t most = 0;
    for (int i = 0; i < transfers->count; i++)
        if (transfers->files[i]->length > most)
            most = transfers->files[i]->length;
    for (uint64_t at = 0; at < most; at += PIECE_BYTES)
        transfer_pieces(transfers, at);
}

void sheaf_transfer_files(struct sheaf_team *team, const struct sheaf_file_transfer *files, int count,
                          struct sheaf_snapshot_reason *why)
{
    struct transfers transfers = {.team = team, .why = why,
                                  .files = calloc((size_t)count + 1, sizeof *transfers.files)};
    for (int i = 0; i < count && transfers.files; i++)
        if (files[i].from == team->rank || files[i].to == team->rank)
            transfers.files[transfers.count++] = &files[i];
    transfers.pieces = transfers.files ? malloc(((size_t)transfers.count + 1) * PIECE_BYTES) : NULL;
    if (!transfers.pieces)
        sheaf_fatal("SH301 no memory for the files that go to other hosts: %d pieces of %zu bytes",
                    transfers.count, PIECE_BYTES);
    transfer_all(&transfers);
    free(transfers.files);
    free(transfers.pieces);
}

bool sheaf_buddy_is_asked_for(void)
{
    return sheaf_job.settings.buddy == SHEAF_BUDDY_ON;
}

/* The host's number is that of its first node, since the PEs of a lost host may be on another host's
 * node. */
static int host_at(const struct sheaf_team *team, int rank)
{
    return sheaf_boot_host_node_of(sheaf_team_world_pe(team, rank));
}

static bool has_several_hosts(const struct sheaf_team *team)
{
    int rank = 1, first = host_at(team, 0);
    while (rank < team->size && host_at(team, rank) == first)
        rank++;
    return rank < team->size;
}

bool sheaf_buddy_is_on(const struct sheaf_team *team)
{
    return sheaf_buddy_is_asked_for() && team->multinode && has_several_hosts(team);
}

bool sheaf_buddy_leads(const struct sheaf_team *team)
{
    int rank = 0, host = host_at(team, team->rank);
    while (host_at(team, rank) != host)
        rank++;
    return rank == team->rank;
}

int sheaf_buddy_name_dir(char path[PATH_MAX], const char *dir, struct sheaf_snapshot_reason *why)
{
    bool is_own = sheaf_buddy_is_asked_for();
    const char *mark = is_own ? strstr(dir, "%h") : NULL, *host = sheaf_boot_host_of(sheaf_job.pe);
    int length = mark ? snprintf(path, PATH_MAX, "%.*s%s%s", (int)(mark - dir), dir, host, mark + 2)
                      : snprintf(path, PATH_MAX, "%s", dir);
    if (length >= PATH_MAX)
        return sheaf_snapshot_explain(why, "the folder's name is too long");
    if (mark && (strchr(host, '/') || host[0] == '.' || !host[0]))
        return sheaf_snapshot_explain(why, "the host's name is \"%s\", which no folder can have", host);
    return 0;
}

void *sheaf_buddy_allocate(size_t bytes)
{
    void *got = calloc(1, bytes);
    if (!got)
        sheaf_fatal("SH301 no memory for %zu bytes about the files of snapshots", bytes);
    return got;
}

void sheaf_buddy_make_circle(const struct sheaf_team *team, struct sheaf_circle *circle)
{
    int *host = sheaf_buddy_allocate((size_t)team->size * sizeof *host), hosts = 0;
    for (int rank = 0; rank < team->size; rank++) {
        host[rank] = host_at(team, rank);
        hosts = host[rank] >= hosts ? host[rank] + 1 : hosts;
    }
    if (sheaf_circle_make(circle, host, team->size, hosts) != 0)
        sheaf_fatal("SH301 no memory for the list of %d hosts", hosts);
    free(host);
}

int sheaf_buddy_open_file(const struct sheaf_team *team, int folder, int rank, uint64_t *length,
                          struct sheaf_snapshot_reason *why)
{
    struct stat status;
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_team_world_pe(team, rank));
    int fd = sheaf_folder_open_file(folder, name, why);
    *length = fd >= 0 && fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
    return fd;
}

static int create_copy(const struct sheaf_team *team, int folder, int rank,
                       struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_team_world_pe(team, rank));
    return sheaf_folder_create_file(folder, name, why);
}

/* Makes a received file durable, and closes it. */
static void close_copy(const struct sheaf_team *team, const struct sheaf_file_transfer *file,
                       struct sheaf_snapshot_reason *why)
{
    if (file->fd < 0)
        return;
    if (file->to == team->rank && fsync(file->fd) != 0 && !why->text[0])
        sheaf_snapshot_explain(why, "the copy of a file cannot be written: %s", strerror(errno));
    close(file->fd);
}

void sheaf_buddy_copy(struct sheaf_team *team, const struct sheaf_snapshot_folder *folder,
                      struct sheaf_snapshot_reason *why)
{
    struct sheaf_file_transfer *files = sheaf_buddy_allocate((size_t)team->size * sizeof *files);
    uint64_t *lengths = sheaf_buddy_allocate((size_t)team->size * sizeof *lengths), length;
    struct sheaf_circle circle;
    sheaf_buddy_make_circle(team, &circle);
    int own = sheaf_buddy_open_file(team, folder->part, team->rank, &length, why);
    sheaf_team_exchange(team, &length, sizeof length, lengths);
    for (int rank = 0; rank < team->size; rank++) {
        files[rank] = (struct sheaf_file_transfer){rank, circle.buddy[rank], -1, lengths[rank]};
        if (rank == team->rank)
            files[rank].fd = own;
        else if (files[rank].to == team->rank)
            files[rank].fd = create_copy(team, folder->part, rank, why);
    }
    sheaf_transfer_files(team, files, team->size, why);
    for (int rank = 0; rank < team->size; rank++)
        close_copy(team, &files[rank], why);
    free(circle.leader);
    free(files);
    free(lengths);
}
