/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes a snapshot: see snapshot.h. Every PE writes its own file and makes it durable; then all agree,
 * and only then PE 0 gives the folder its name. So whoever is killed at any moment, there is the snapshot
 * before, or this one.
 */
#include "snapshot/snapshot.h"

#include "base/keep_errno.h"
#include "core/pe/failure.h"
#include "core/pe/job.h"
#include "core/team/failed.h"
#include "core/team/sync.h"
#include "image/image.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/manifest.h"
#include "snapshot/meet.h"
#include "snapshot/pe_state.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static void create_folder(struct sheaf_snapshot_folder *folder, const char *dir, const char *tag,
                          struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why)
{
    if (getrandom(id, sizeof *id, 0) != sizeof *id)
        sheaf_snapshot_explain(why, "there are no random numbers");
    else
        sheaf_folder_create(folder, dir, tag, id, why);
}

static void write_file(const struct sheaf_snapshot_folder *folder, const struct sheaf_snapshot_id *id,
                       struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_job.pe);
    sheaf_snapshot_write(folder, name, id, why);
}

static void publish(struct sheaf_team *team, struct sheaf_snapshot_folder *folder,
                    const struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why)
{
    struct sheaf_manifest manifest = {.id = *id, .npes = sheaf_job.npes, .start = team->start,
                                      .stride = team->stride, .size = team->size,
                                      .heap = sheaf_image.segments[SHEAF_SEGMENT_HEAP].length};
    memcpy(manifest.build_id, sheaf_image_build_id(), sizeof manifest.build_id);
    if (sheaf_manifest_write(folder->part, &manifest, why) == 0)
        sheaf_folder_publish(folder, why);
}

/* In steps, each of which all members do or none goes on. */
static int take(struct sheaf_team *team, const char *dir, const char *tag, const char *call,
                struct sheaf_snapshot_folder *folder)
{
    struct sheaf_snapshot_reason why = {""};
    struct sheaf_snapshot_id id = {{0, 0}};
    char doing[320];
    snprintf(doing, sizeof doing, "no snapshot %.64s in %.200s", tag ? tag : "(null)",
             dir ? dir : "(null)");
    if (!dir)
        sheaf_snapshot_explain(&why, "name a folder, or set SHEAF_SNAPSHOT_DIR");
    else if (team->table)
        sheaf_snapshot_explain(&why, "the team's PEs are not evenly apart");
    else if (team->rank == 0)
        create_folder(folder, dir, tag, &id, &why);
    if (sheaf_snapshot_meet(team, &why, call, doing) != 0)
        return -1;
    id = sheaf_snapshot_share_id(team, &id);
    if (team->rank == 0 || sheaf_folder_join(folder, dir, tag, &id, &why) == 0)
        write_file(folder, &id, &why);
    if (sheaf_snapshot_meet(team, &why, call, doing) != 0)
        return -1;
    if (team->rank == 0)
        publish(team, folder, &id, &why);
    return sheaf_snapshot_meet(team, &why, call, doing);
}

static void remove_replaced(struct sheaf_team *team, const struct sheaf_snapshot_folder *folder)
{
    sheaf_folder_remove_file(folder, sheaf_job.pe);
    sheaf_sync(team);
    if (team->rank == 0)
        sheaf_folder_remove_replaced(folder);
}

/* The one under way, for whoever leaves it. */
static __thread struct {
    struct sheaf_team *team;
    struct sheaf_snapshot_folder folder;
} now;

/* A member has died. The first one alone may give the folder its name, and so it alone removes it while it
 * lives. */
static void abandon(void)
{
    if (now.team->rank == 0 || sheaf_failed_is_dead(now.team, 0))
        sheaf_folder_abandon(&now.folder);
    sheaf_folder_close(&now.folder);
}

int sheaf_snapshot_take(struct sheaf_team *team, const char *dir, const char *tag, const char *call)
{
    SHEAF_KEEP_ERRNO;
    sheaf_snapshot_settle(team);
    now.team = team;
    now.folder = (struct sheaf_snapshot_folder){.dir = -1, .part = -1};
    sheaf_failure_set_cleanup(abandon);
    int failed = take(team, dir ? dir : sheaf_job.settings.snapshot_dir, tag, call, &now.folder);
    if (!failed)
        remove_replaced(team, &now.folder);
    sheaf_failure_set_cleanup(NULL);
    if (!failed)
        sheaf_snapshot_written();
    else if (team->rank == 0)
        sheaf_folder_drop(&now.folder);
    sheaf_folder_close(&now.folder);
    return failed;
}
