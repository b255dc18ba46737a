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
#include "snapshot/file/folder.h"
#include "snapshot/file/manifest.h"
#include "snapshot/meet.h"
#include "snapshot/pe_state.h"
#include "snapshot/state.h"

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

static void check(struct sheaf_team *team, int folder, struct sheaf_snapshot_files *files,
                  struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why)
{
    struct sheaf_manifest manifest;
    if (sheaf_manifest_read(folder, &manifest, why) != 0 ||
        sheaf_manifest_require_taken(&manifest, why) != 0 || check_members(team, &manifest, why) != 0)
        return;
    if (sheaf_snapshot_open(files, folder, &manifest.id, team->size != sheaf_job.npes, why) == 0)
        *id = manifest.id;
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

static int restore(struct sheaf_team *team, int folder, struct sheaf_snapshot_reason *why, const char *call,
                   const char *doing)
{
    struct sheaf_snapshot_files files = {.count = 0};
    struct sheaf_snapshot_id mine = {{0, 0}};
    if (folder >= 0)
        check(team, folder, &files, &mine, why);
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

int sheaf_snapshot_restore(struct sheaf_team *team, const char *dir, const char *tag, const char *call)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_snapshot_reason why = {""};
    char doing[320];
    sheaf_snapshot_settle(team);
    if (!dir && !sheaf_job.settings.restart)
        return 1;
    tag = dir ? tag : NULL;
    dir = dir ? dir : sheaf_job.settings.restart;
    snprintf(doing, sizeof doing, "%.200s%s%.64s is not restored", dir, tag ? "/" : "", tag ? tag : "");
    int folder = sheaf_folder_open(dir, tag, &why);
    int failed = restore(team, folder, &why, call, doing);
    if (!failed && team->rank == 0)
        sheaf_folder_tidy(folder);
    if (folder >= 0)
        close(folder);
    sheaf_sync(team);
    return failed;
}
