/* SPDX-License-Identifier: BSD-3-Clause
 * See buddy.h. All members compute the same plan from what they have told each other.
 */
#include "snapshot/buddy.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/team/message.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "snapshot/carry.h"
#include "snapshot/file/hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool sheaf_buddy_is_on(const struct sheaf_team *team)
{
    return sheaf_job.settings.buddy == SHEAF_BUDDY_ONE && team->multinode;
}

static int node_at(const struct sheaf_team *team, int rank)
{
    return sheaf_boot_node_of(sheaf_team_world_pe(team, rank));
}

static int leader_of(const struct sheaf_team *team, int node)
{
    int rank = 0;
    while (node_at(team, rank) != node)
        rank++;
    return rank;
}

bool sheaf_buddy_leads(const struct sheaf_team *team)
{
    return leader_of(team, node_at(team, team->rank)) == team->rank;
}

/* The next one that has members, in a circle. */
static int node_after(const struct sheaf_team *team, int node)
{
    int next = -1, lowest = node;
    for (int rank = 0; rank < team->size; rank++) {
        int other = node_at(team, rank);
        if (other > node && (next < 0 || other < next))
            next = other;
        if (other < lowest)
            lowest = other;
    }
    return next < 0 ? lowest : next;
}

/* The member at the same place of the next host; by turns where that one has fewer. */
static int buddy_of(const struct sheaf_team *team, int rank)
{
    int node = node_at(team, rank), next = node_after(team, node), place = 0, members = 0;
    for (int other = 0; other < team->size; other++) {
        place += other < rank && node_at(team, other) == node;
        members += node_at(team, other) == next;
    }
    place %= members;
    for (int other = 0;; other++)
        if (node_at(team, other) == next && place-- == 0)
            return other;
}

int sheaf_buddy_name_dir(char path[PATH_MAX], const char *dir, struct sheaf_snapshot_reason *why)
{
    bool is_own = sheaf_job.settings.buddy == SHEAF_BUDDY_ONE;
    const char *mark = is_own ? strstr(dir, "%h") : NULL, *host = sheaf_boot_host_of(sheaf_job.pe);
    int length = mark ? snprintf(path, PATH_MAX, "%.*s%s%s", (int)(mark - dir), dir, host, mark + 2)
                      : snprintf(path, PATH_MAX, "%s", dir);
    if (length >= PATH_MAX)
        return sheaf_snapshot_explain(why, "the folder's name is too long");
    if (mark && (strchr(host, '/') || host[0] == '.' || !host[0]))
        return sheaf_snapshot_explain(why, "the host's name is \"%s\", which no folder can have", host);
    return 0;
}

static void *allocate(size_t bytes)
{
    void *got = calloc(1, bytes);
    if (!got)
        sheaf_fatal("no memory for %zu bytes about the files of snapshots", bytes);
    return got;
}

static uint64_t length_of(int fd)
{
    struct stat status;
    return fd >= 0 && fstat(fd, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static int open_of(const struct sheaf_team *team, int folder, int rank, struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_team_world_pe(team, rank));
    return sheaf_folder_open_file(folder, name, why);
}

static int create_of(const struct sheaf_team *team, int folder, int rank, struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_team_world_pe(team, rank));
    return sheaf_folder_create_file(folder, name, why);
}

/* What was received is durable. */
static void close_copy(const struct sheaf_team *team, const struct sheaf_carried *file,
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
    struct sheaf_carried *files = allocate((size_t)team->size * sizeof *files);
    uint64_t *lengths = allocate((size_t)team->size * sizeof *lengths);
    int own = open_of(team, folder->part, team->rank, why);
    uint64_t length = length_of(own);
    sheaf_team_exchange(team, &length, sizeof length, lengths);
    for (int rank = 0; rank < team->size; rank++) {
        files[rank] = (struct sheaf_carried){rank, buddy_of(team, rank), -1, lengths[rank]};
        if (rank == team->rank)
            files[rank].fd = own;
        else if (files[rank].to == team->rank)
            files[rank].fd = create_of(team, folder->part, rank, why);
    }
    sheaf_carry(team, files, team->size, why);
    for (int rank = 0; rank < team->size; rank++)
        close_copy(team, &files[rank], why);
    free(files);
    free(lengths);
}

/* Looking for a snapshot. */
struct search {
    struct sheaf_team *team;
    const char *dir, *tag;
    struct sheaf_snapshot_id *ids; /* by rank: of the host's snapshot of that name; 0: there is none */
    size_t width;                  /* bytes of a row */
    unsigned char *rows;           /* by rank: a bit for each rank whose file the member's host has. Leaders
                                      alone have some */
    struct sheaf_buddy_found *found;
};

static bool is_id(const struct sheaf_snapshot_id *a, const struct sheaf_snapshot_id *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Whether the folder is one of a snapshot that a job can go on from; id NULL: of any. */
static bool read_manifest(int folder, const struct sheaf_snapshot_id *id, struct sheaf_manifest *manifest)
{
    struct sheaf_snapshot_reason unused;
    return folder >= 0 && sheaf_manifest_read(folder, manifest, &unused) == 0 &&
           sheaf_manifest_require_taken(manifest, &unused) == 0 && (!id || is_id(id, &manifest->id));
}

static void close_folder(struct sheaf_buddy_found *found)
{
    if (found->folder >= 0)
        close(found->folder);
    found->folder = -1;
    found->is_part = false;
    found->manifest = (struct sheaf_manifest){.npes = 0};
}

/* The one in its place; or one beside it, as a job leaves them that is killed when it has put a new one in
 * its place, or was about to. id NULL: any in its place. */
static void open_folder(struct search *search, const struct sheaf_snapshot_id *id)
{
    struct sheaf_snapshot_reason unused;
    struct sheaf_buddy_found *found = search->found;
    found->folder = sheaf_folder_open(search->dir, search->tag, &unused);
    if (read_manifest(found->folder, id, &found->manifest))
        return;
    close_folder(found);
    if (!id)
        return;
    found->folder = sheaf_folder_open_part(search->dir, search->tag, id, &unused);
    found->is_part = read_manifest(found->folder, id, &found->manifest);
    if (!found->is_part)
        close_folder(found);
}

static void share_ids(struct search *search)
{
    open_folder(search, NULL);
    struct sheaf_snapshot_id mine = search->found->manifest.id;
    close_folder(search->found);
    sheaf_team_exchange(search->team, &mine, sizeof mine, search->ids);
}

/* Not that it is undamaged: only its header has been looked at. */
static bool has_file(const struct search *search, int rank, const struct sheaf_snapshot_id *id)
{
    struct sheaf_snapshot_reason unused = {""};
    struct sheaf_snapshot_header header;
    int fd = open_of(search->team, search->found->folder, rank, &unused);
    bool has = fd >= 0 && pread(fd, &header, sizeof header, 0) == sizeof header && is_id(&header.id, id) &&
               header.hash == sheaf_hash(&header, offsetof(struct sheaf_snapshot_header, hash)) &&
               header.length == length_of(fd);
    if (fd >= 0)
        close(fd);
    return has;
}

static void share_rows(struct search *search, const struct sheaf_snapshot_id *id)
{
    unsigned char *mine = allocate(search->width);
    bool looks = search->found->folder >= 0 && sheaf_buddy_leads(search->team);
    for (int rank = 0; looks && rank < search->team->size; rank++)
        if (has_file(search, rank, id))
            mine[rank / 8] |= (unsigned char)(1 << rank % 8);
    sheaf_team_exchange(search->team, mine, search->width, search->rows);
    free(mine);
}

static bool has_bit(const struct search *search, int leader, int rank)
{
    return search->rows[(size_t)leader * search->width + (size_t)rank / 8] >> rank % 8 & 1;
}

/* Who sends a member its file: the leader of its own host where that has it, and need not; -1: nobody. */
static int sender_to(const struct search *search, int rank)
{
    int own = leader_of(search->team, node_at(search->team, rank));
    if (has_bit(search, own, rank))
        return own;
    for (int leader = 0; leader < search->team->size; leader++)
        if (has_bit(search, leader, rank))
            return leader;
    return -1;
}

static int first_missing(const struct search *search)
{
    for (int rank = 0; rank < search->team->size; rank++)
        if (sender_to(search, rank) < 0)
            return rank;
    return -1;
}

/* The first snapshot that is whole in all hosts together. */
static int choose(struct search *search, struct sheaf_snapshot_reason *why)
{
    static const struct sheaf_snapshot_id none;
    int missing = -2;
    for (int rank = 0; rank < search->team->size; rank++) {
        const struct sheaf_snapshot_id *id = &search->ids[rank];
        if (is_id(id, &none) || (rank > 0 && is_id(id, &search->ids[rank - 1])))
            continue;
        open_folder(search, id);
        share_rows(search, id);
        missing = first_missing(search);
        if (missing < 0)
            return 0;
        close_folder(search->found);
    }
    if (missing == -2)
        return sheaf_snapshot_explain(why, "there is no snapshot %.64s on any host", search->tag);
    return sheaf_snapshot_explain(why, "no host has the file of PE %d",
                                  sheaf_team_world_pe(search->team, missing));
}

/* Those with a folder of it have read the same manifest. */
static void share_manifest(struct search *search)
{
    struct sheaf_manifest *all = allocate((size_t)search->team->size * sizeof *all);
    sheaf_team_exchange(search->team, &search->found->manifest, sizeof *all, all);
    for (int rank = 0; rank < search->team->size && search->found->manifest.npes == 0; rank++)
        search->found->manifest = all[rank];
    free(all);
}

/* Senders tell those whom they send to. */
static void share_lengths(struct search *search, struct sheaf_carried *files, int count)
{
    struct sheaf_messages messages;
    int mine = search->team->rank;
    sheaf_messages_begin(&messages, search->team);
    for (int i = 0; i < count; i++)
        if (files[i].to == mine)
            sheaf_messages_receive(&messages, files[i].from, &files[i].length, sizeof files[i].length);
    for (int i = 0; i < count; i++)
        if (files[i].from == mine)
            sheaf_messages_send(&messages, files[i].to, &files[i].length, sizeof files[i].length);
    sheaf_messages_wait(&messages);
}

static void open_carried(struct search *search, struct sheaf_carried *file,
                         struct sheaf_snapshot_reason *why)
{
    if (file->from == search->team->rank) {
        file->fd = open_of(search->team, search->found->folder, file->to, why);
        file->length = length_of(file->fd);
    } else if (file->to == search->team->rank) {
        search->found->file = file->fd = memfd_create("sheaf-snapshot", MFD_CLOEXEC);
        if (file->fd < 0)
            sheaf_snapshot_explain(why, "no memory for the file that another host sends: %s",
                                   strerror(errno));
    }
}

static void fetch(struct search *search, struct sheaf_snapshot_reason *why)
{
    struct sheaf_carried *files = allocate((size_t)search->team->size * sizeof *files);
    int count = 0;
    for (int rank = 0; rank < search->team->size; rank++) {
        int from = sender_to(search, rank);
        if (node_at(search->team, from) != node_at(search->team, rank)) {
            files[count] = (struct sheaf_carried){from, rank, -1, 0};
            open_carried(search, &files[count++], why);
        }
    }
    share_lengths(search, files, count);
    sheaf_carry(search->team, files, count, why);
    for (int i = 0; i < count; i++)
        if (files[i].from == search->team->rank && files[i].fd >= 0)
            close(files[i].fd);
    free(files);
}

void sheaf_buddy_find(struct sheaf_team *team, const char *dir, const char *tag,
                      struct sheaf_buddy_found *found, struct sheaf_snapshot_reason *why)
{
    struct search search = {.team = team, .dir = dir, .tag = tag, .width = (size_t)team->size / 8 + 1,
                            .ids = allocate((size_t)team->size * sizeof *search.ids), .found = found};
    search.rows = allocate((size_t)team->size * search.width);
    *found = (struct sheaf_buddy_found){.folder = -1, .file = -1};
    share_ids(&search);
    if (choose(&search, why) == 0) {
        share_manifest(&search);
        fetch(&search, why);
    }
    sheaf_sync(team);
    free(search.ids);
    free(search.rows);
}

void sheaf_buddy_settle(const char *dir, const char *tag, const struct sheaf_buddy_found *found)
{
    struct sheaf_snapshot_reason unused = {""};
    struct sheaf_snapshot_folder folder = {.dir = -1, .part = -1};
    if (found->is_part && sheaf_folder_join(&folder, dir, tag, &found->manifest.id, &unused) == 0)
        sheaf_folder_publish(&folder, &unused);
    sheaf_folder_close(&folder);
}
