/* SPDX-License-Identifier: BSD-3-Clause
 * See search.h.
 */
#include "snapshot/search.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/team/message.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "snapshot/buddy.h"
#include "snapshot/pe_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool is_leader(const struct sheaf_search *search)
{
    return search->circle.leader[search->team->rank] == search->team->rank;
}

/* Whether the folder is that of a snapshot that a job can be restored from; id NULL: of any. */
static bool read_manifest(int folder, const struct sheaf_snapshot_id *id, struct sheaf_manifest *manifest)
{
    struct sheaf_snapshot_reason unused;
    return folder >= 0 && sheaf_manifest_read(folder, manifest, &unused) == 0 &&
           sheaf_manifest_require_taken(manifest, &unused) == 0 &&
           (!id || sheaf_snapshot_same(id, &manifest->id));
}

static void close_folder(struct sheaf_search *search)
{
    if (search->folder >= 0 && search->folder != search->part.part)
        close(search->folder);
    sheaf_folder_close(&search->part);
    search->part = (struct sheaf_snapshot_folder){.dir = -1, .part = -1};
    search->folder = -1;
    search->manifest = (struct sheaf_manifest){.npes = 0};
}

/* What is wanted of a folder with a temporary name: a snapshot with this id. */
struct wanted {
    const struct sheaf_snapshot_id *id;
    bool replaced; /* also a snapshot that another one has replaced */
    struct sheaf_manifest *manifest;
};

static bool is_wanted_folder(void *context, const char *name, int part)
{
    struct wanted *wanted = context;
    return (wanted->replaced || sheaf_folder_has_id(name, wanted->id)) &&
           read_manifest(part, wanted->id, wanted->manifest);
}

/* Opens the snapshot with the tag, or one with a temporary name: a job leaves such a folder when it is
 * killed around the renaming. replaced: also the snapshot that was replaced. id NULL: any snapshot with
 * the tag. */
static void open_folder(struct sheaf_search *search, const struct sheaf_snapshot_id *id, bool replaced)
{
    struct sheaf_snapshot_reason unused;
    struct wanted wanted = {id, replaced, &search->manifest};
    search->folder = sheaf_folder_open(search->dir, search->tag, &unused);
    if (read_manifest(search->folder, id, &search->manifest))
        return;
    close_folder(search);
    if (!id)
        return;
    if (sheaf_folder_find_part(&search->part, search->dir, search->tag, is_wanted_folder, &wanted) == 0)
        search->folder = search->part.part;
    else
        close_folder(search);
}

/* The ids, by rank, of each host's snapshot with the tag; 0: there is none. */
static struct sheaf_snapshot_id *share_ids(struct sheaf_search *search)
{
    struct sheaf_snapshot_id *ids = sheaf_buddy_allocate((size_t)search->team->size * sizeof *ids);
    open_folder(search, NULL, false);
    struct sheaf_snapshot_id mine = search->manifest.id;
    close_folder(search);
    sheaf_team_exchange(search->team, &mine, sizeof mine, ids);
    return ids;
}

/* The pieces of rows that are being exchanged. */
struct rows {
    struct sheaf_search *search;
    size_t at, length;
    int host;
};

static void read_row(void *context, int rank, const void *note)
{
    struct rows *rows = context;
    if (rank == 0)
        rows->host = 0;
    if (rows->search->circle.leader[rank] != rank)
        return;
    memcpy(rows->search->rows + (size_t)rows->host * rows->search->width + rows->at, note, rows->length);
    rows->host++;
}

static void share_rows(struct sheaf_search *search, const struct sheaf_snapshot_id *id)
{
    unsigned char *mine = sheaf_buddy_allocate(search->width);
    struct rows rows = {.search = search};
    bool looks = search->folder >= 0 && is_leader(search);
    for (int rank = 0; looks && rank < search->team->size; rank++)
        if (sheaf_snapshot_has_file(search->folder, sheaf_team_world_pe(search->team, rank), id))
            mine[rank / 8] |= (unsigned char)(1 << rank % 8);
    for (; rows.at < search->width; rows.at += rows.length) {
        size_t left = search->width - rows.at;
        rows.length = left < SHEAF_NOTE_BYTES ? left : SHEAF_NOTE_BYTES;
        sheaf_team_gather(search->team, mine + rows.at, rows.length, read_row, &rows);
    }
    free(mine);
}

static unsigned char *byte_of(const struct sheaf_search *search, int host, int rank)
{
    return &search->rows[(size_t)host * search->width + (size_t)rank / 8];
}

/* The host that has a member's file, by its index among the leaders: the member's own host where that
 * has it, so that nothing need be sent; -1: none. */
static int holder_of(const struct sheaf_search *search, int rank)
{
    int found = -1;
    for (int host = 0; host < search->circle.hosts; host++)
        if (*byte_of(search, host, rank) >> rank % 8 & 1) {
            if (search->circle.leaders[host] == search->circle.leader[rank])
                return host;
            found = found < 0 ? host : found;
        }
    return found;
}

static int first_missing(const struct sheaf_search *search)
{
    for (int rank = 0; rank < search->team->size; rank++)
        if (holder_of(search, rank) < 0)
            return rank;
    return -1;
}

/* Whether a host before this one has the same snapshot, so that it was searched already. */
static bool is_searched(const struct sheaf_search *search, const struct sheaf_snapshot_id *ids, int host)
{
    static const struct sheaf_snapshot_id none;
    const int *leaders = search->circle.leaders;
    bool known = sheaf_snapshot_same(&ids[leaders[host]], &none);
    for (int other = 0; other < host && !known; other++)
        known = sheaf_snapshot_same(&ids[leaders[other]], &ids[leaders[host]]);
    return known;
}

/* No host has a snapshot. */
#define NO_SNAPSHOT (-2)

/* Returns -1 where a snapshot is complete, and open now; otherwise the first member whose file of the
 * last snapshot searched is on no host. */
static int search_all(struct sheaf_search *search, const struct sheaf_snapshot_id *ids, bool replaced)
{
    int missing = NO_SNAPSHOT;
    for (int host = 0; host < search->circle.hosts && missing != -1; host++) {
        const struct sheaf_snapshot_id *id = &ids[search->circle.leaders[host]];
        if (is_searched(search, ids, host))
            continue;
        close_folder(search);
        open_folder(search, id, replaced);
        share_rows(search, id);
        missing = first_missing(search);
    }
    return missing;
}

/* Chooses the first snapshot that is complete on all hosts together. A replaced snapshot comes last. */
static int choose_snapshot(struct sheaf_search *search, struct sheaf_snapshot_reason *why)
{
    struct sheaf_snapshot_id *ids = share_ids(search);
    int missing = search_all(search, ids, false);
    if (missing >= 0)
        missing = search_all(search, ids, true);
    free(ids);
    if (missing == NO_SNAPSHOT)
        return sheaf_snapshot_explain(why, "there is no snapshot %.64s on any host", search->tag);
    if (missing >= 0)
        return sheaf_snapshot_explain(why, "no host has the file of PE %d, whole",
                                      sheaf_team_world_pe(search->team, missing));
    return 0;
}

/* Members with a folder of the snapshot have read its manifest, which is the same for all; the others
 * get it from the first of them. */
static void share_manifest(struct sheaf_search *search)
{
    struct sheaf_manifest *all = sheaf_buddy_allocate((size_t)search->team->size * sizeof *all);
    sheaf_team_exchange(search->team, &search->manifest, sizeof *all, all);
    for (int rank = 0; rank < search->team->size && search->manifest.npes == 0; rank++)
        search->manifest = all[rank];
    free(all);
}

/* Each sender sends the file's length to the receiver. */
static void share_lengths(struct sheaf_search *search, struct sheaf_file_transfer *files, int count)
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

static void open_carried(struct sheaf_search *search, struct sheaf_file_transfer *file,
                         struct sheaf_snapshot_reason *why)
{
    if (file->from == search->team->rank) {
        file->fd = sheaf_buddy_open_file(search->team, search->folder, file->to, &file->length, why);
    } else if (file->to == search->team->rank) {
        search->file = file->fd = memfd_create("sheaf-snapshot", MFD_CLOEXEC);
        if (file->fd < 0)
            sheaf_snapshot_explain(why, "no memory for the file that another host sends: %s",
                                   strerror(errno));
    }
}

/* Fetches the files that are not on the member's own host. wants: by rank; NULL: all. */
static void fetch_files(struct sheaf_search *search, const unsigned char *wants,
                        struct sheaf_snapshot_reason *why)
{
    const struct sheaf_circle *circle = &search->circle;
    struct sheaf_file_transfer *files = sheaf_buddy_allocate((size_t)search->team->size * sizeof *files);
    int count = 0;
    for (int rank = 0; rank < search->team->size; rank++) {
        bool is_wanted = !wants || wants[rank];
        int from = is_wanted ? circle->leaders[holder_of(search, rank)] : circle->leader[rank];
        if (from != circle->leader[rank]) {
            files[count] = (struct sheaf_file_transfer){from, rank, -1, 0};
            open_carried(search, &files[count++], why);
        }
    }
    share_lengths(search, files, count);
    sheaf_transfer_files(search->team, files, count, why);
    for (int i = 0; i < count; i++)
        if (files[i].from == search->team->rank && files[i].fd >= 0)
            close(files[i].fd);
    free(files);
}

void sheaf_search_begin(struct sheaf_search *search, struct sheaf_team *team, const char *dir,
                        const char *tag, struct sheaf_snapshot_reason *why)
{
    *search = (struct sheaf_search){.team = team, .dir = dir, .tag = tag, .folder = -1, .file = -1,
                                    .part = {.dir = -1, .part = -1}, .width = (size_t)team->size / 8 + 1};
    sheaf_buddy_make_circle(team, &search->circle);
    search->rows = sheaf_buddy_allocate((size_t)search->circle.hosts * search->width);
    if (choose_snapshot(search, why) == 0) {
        share_manifest(search);
        fetch_files(search, NULL, why);
    }
    sheaf_sync(team);
}

/* The states of members' files. */
enum { FINE, DAMAGED, REFUSED };

/* Removes damaged files from the rows, so that they are not fetched again. Returns their number; -1
 * where a damaged one has no other copy, or another copy would not help. */
static int remove_damaged(struct sheaf_search *search, const unsigned char *states)
{
    int count = 0;
    bool helps = true;
    for (int rank = 0; rank < search->team->size; rank++) {
        helps &= states[rank] != REFUSED;
        if (states[rank] != DAMAGED)
            continue;
        *byte_of(search, holder_of(search, rank), rank) &= (unsigned char)~(1 << rank % 8);
        helps &= holder_of(search, rank) >= 0;
        count++;
    }
    return helps ? count : -1;
}

static void warn_of_damage(const struct sheaf_search *search, const char *why, int count, const char *call)
{
    int holder = search->circle.leaders[holder_of(search, search->team->rank)];
    char others[64] = "";
    if (count > 1)
        snprintf(others, sizeof others, ", and %d more likewise", count - 1);
    sheaf_warn("SH805 %s: %.200s/%.64s: %s: the copy of host %s is taken%s", call, search->dir, search->tag,
               why, sheaf_boot_host_of(sheaf_team_world_pe(search->team, holder)), others);
}

bool sheaf_search_replace(struct sheaf_search *search, struct sheaf_snapshot_reason *mine,
                          const char *call)
{
    unsigned char state = !mine->text[0] ? FINE : mine->is_damage ? DAMAGED : REFUSED;
    unsigned char *states = sheaf_buddy_allocate((size_t)search->team->size);
    sheaf_team_exchange(search->team, &state, sizeof state, states);
    int count = remove_damaged(search, states);
    if (count > 0) {
        if (memchr(states, DAMAGED, (size_t)search->team->size) == states + search->team->rank)
            warn_of_damage(search, mine->text, count, call);
        mine->text[0] = '\0';
        for (int rank = 0; rank < search->team->size; rank++)
            states[rank] = states[rank] == DAMAGED;
        fetch_files(search, states, mine);
        sheaf_sync(search->team);
    }
    free(states);
    return count > 0;
}

int sheaf_search_publish(struct sheaf_search *search)
{
    struct sheaf_snapshot_reason unused = {.text = ""};
    return search->part.part >= 0 ? sheaf_folder_publish(&search->part, &unused) : 0;
}

void sheaf_search_end(struct sheaf_search *search)
{
    close_folder(search);
    if (search->file >= 0)
        close(search->file);
    free(search->circle.leader);
    free(search->rows);
}
