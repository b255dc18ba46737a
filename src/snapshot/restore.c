/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Restores a snapshot: see snapshot.h. All members look at all of their files before one of them changes
 * anything.
 */
#include "snapshot/snapshot.h"

#include "base/keep_errno.h"
#include "base/log.h"
#include "core/pe/job.h"
#include "core/team/sync.h"
#include "snapshot/buddy.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/manifest.h"
#include "snapshot/meet.h"
#include "snapshot/pe_state.h"
#include "snapshot/state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int check_members(const struct sheaf_team *team, const struct sheaf_manifest *manifest,
                         struct sheaf_snapshot_reason *why)
{
    if (manifest->npes != sheaf_job.npes)
        return sheaf_snapshot_explain(why, "it is of a job of %d PEs, and this one has %d: start as many",
                                      manifest->npes, sheaf_job.npes);
    if (team->table || manifest->size != team->size || manifest->start != team->start ||
        (team->size > 1 && manifest->stride != team->stride))
        return sheaf_snapshot_explain(why, "it is of a team of %d PEs, from PE %d on, %d apart, and not of "
                                      "this one", manifest->size, manifest->start, manifest->stride);
    return 0;
}

static void check(struct sheaf_team *team, struct sheaf_buddy_found *source,
                  struct sheaf_snapshot_files *files, struct sheaf_snapshot_id *id,
                  struct sheaf_snapshot_reason *why)
{
    const struct sheaf_manifest *manifest = &source->manifest;
    if (check_members(team, manifest, why) != 0)
        return;
    int file = source->file;
    source->file = -1; /* the files' now */
    bool exactly = team->size != sheaf_job.npes;
    if (sheaf_snapshot_open(files, source->folder, file, &manifest->id, exactly, why) == 0)
        *id = manifest->id;
}

/* From here on nobody can go back. */
static void load(struct sheaf_team *team, const struct sheaf_snapshot_files *files, const char *call)
{
    struct sheaf_snapshot_reason why = {""};
    int failed = sheaf_snapshot_load(files, &why);
    if (!failed && team->size == sheaf_job.npes)
        failed = sheaf_state_adopt(files->state, &why);
    if (failed)
        sheaf_fatal("%s: the snapshot changed while it was read, and is restored in part: %s", call,
                    why.text);
}

static int restore(struct sheaf_team *team, struct sheaf_buddy_found *source,
                   struct sheaf_snapshot_reason *why, const char *call, const char *doing)
{
    struct sheaf_snapshot_files files = {.count = 0};
    struct sheaf_snapshot_id mine = {{0, 0}};
    if (!why->text[0])
        check(team, source, &files, &mine, why);
    struct sheaf_snapshot_id id = sheaf_snapshot_share_id(team, &mine);
    if (!why->text[0] && memcmp(&id, &mine, sizeof id) != 0)
        sheaf_snapshot_explain(why, "PE %d has another snapshot there than PE %d", sheaf_job.pe,
                               sheaf_team_world_pe(team, 0));
    int failed = sheaf_snapshot_meet(team, why, call, doing);
    if (!failed)
        load(team, &files, call);
    sheaf_snapshot_close(&files);
    return failed;
}

/* The one folder that all hosts have. */
static void find(const char *dir, const char *tag, struct sheaf_buddy_found *source,
                 struct sheaf_snapshot_reason *why)
{
    *source = (struct sheaf_buddy_found){.folder = sheaf_folder_open(dir, tag, why), .file = -1};
    if (source->folder >= 0 && sheaf_manifest_read(source->folder, &source->manifest, why) == 0)
        sheaf_manifest_require_taken(&source->manifest, why);
}

/* DIR/TAG becomes DIR; returns TAG. */
static const char *split(char path[PATH_MAX])
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) {
        memmove(path + 2, slash ? path + 1 : path, PATH_MAX - 3);
        path[PATH_MAX - 1] = '\0';
        memcpy(path, slash ? "/" : ".", 2);
        return path + 2;
    }
    *slash = '\0';
    return slash + 1;
}

static void tidy(const struct sheaf_team *team, const char *dir, const char *tag,
                 const struct sheaf_buddy_found *source)
{
    bool is_mine = sheaf_buddy_is_on(team) ? sheaf_buddy_leads(team) : team->rank == 0;
    if (!is_mine || source->folder < 0)
        return;
    sheaf_buddy_settle(dir, tag, source);
    sheaf_folder_tidy(source->folder);
}

int sheaf_snapshot_restore(struct sheaf_team *team, const char *dir, const char *tag, const char *call)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_snapshot_reason why = {""};
    struct sheaf_buddy_found source;
    char doing[320], path[PATH_MAX] = "";
    sheaf_snapshot_settle(team);
    if (!dir && !sheaf_job.settings.restart)
        return 1;
    tag = dir ? tag : NULL;
    dir = dir ? dir : sheaf_job.settings.restart;
    snprintf(doing, sizeof doing, "%.200s%s%.64s is not restored", dir, tag ? "/" : "", tag ? tag : "");
    sheaf_buddy_name_dir(path, dir, &why);
    bool is_apart = sheaf_buddy_is_on(team);
    if (is_apart && !tag)
        tag = split(path);
    if (is_apart)
        sheaf_buddy_find(team, path, tag, &source, &why);
    else
        find(path, tag, &source, &why);
    int failed = restore(team, &source, &why, call, doing);
    if (!failed)
        tidy(team, path, tag, &source);
    if (source.folder >= 0)
        close(source.folder);
    if (source.file >= 0)
        close(source.file);
    sheaf_sync(team);
    return failed;
}
