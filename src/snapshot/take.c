/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes a snapshot: see snapshot.h. Every PE writes its own file and makes it durable; then all agree,
 * and only then PE 0 gives the folder its name. So whoever is killed at any moment, there is the snapshot
 * before, or this one.
 */
#include "snapshot/snapshot.h"

#include "base/keep_errno.h"
#include "base/log.h"
#include "survive/door/survival.h"
#include "core/pe/job.h"
#include "core/team/sync.h"
#include "image/image.h"
#include "snapshot/buddy.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/manifest.h"
#include "snapshot/meet.h"
#include "snapshot/pe_state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

/* One whose number is known to all, as rank 0 has drawn it. */
static struct sheaf_snapshot_id draw_id(struct sheaf_team *team, struct sheaf_snapshot_reason *why)
{
    struct sheaf_snapshot_id id = {{0, 0}};
    if (team->rank == 0 && getrandom(&id, sizeof id, 0) != sizeof id)
        sheaf_snapshot_explain(why, "there are no random numbers");
    return sheaf_snapshot_share_id(team, &id);
}

static void check(const struct sheaf_team *team, const char *dir, char path[PATH_MAX],
                  struct sheaf_snapshot_reason *why)
{
    if (!dir)
        sheaf_snapshot_explain(why, "name a folder, or set SHEAF_SNAPSHOT_DIR");
    else if (team->table)
        sheaf_snapshot_explain(why, "the team's PEs are not evenly apart");
    else
        sheaf_buddy_name_dir(path, dir, why);
}

static void write_file(const struct sheaf_snapshot_folder *folder, const struct sheaf_snapshot_id *id,
                       bool whole, struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_job.pe);
    sheaf_snapshot_write(folder, name, id, whole, why);
}

static void describe(const struct sheaf_team *team, const struct sheaf_snapshot_folder *folder,
                     const struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why)
{
    struct sheaf_manifest manifest = {.id = *id, .npes = sheaf_job.npes, .start = team->start,
                                      .stride = team->stride, .size = team->size,
                                      .heap = sheaf_image.segments[SHEAF_SEGMENT_HEAP].length};
    memcpy(manifest.build_id, sheaf_image_build_id(), sizeof manifest.build_id);
    sheaf_manifest_write(folder->part, &manifest, why);
}

/* Who makes the folder, and gives it its name: one member, or one on each host. */
static bool makes_folder(const struct sheaf_team *team)
{
    return sheaf_buddy_is_on(team) ? sheaf_buddy_leads(team) : team->rank == 0;
}

/* The files of all, in folders that have no names yet. */
static int write_all(struct sheaf_team *team, const char *dir, const char *tag, const char *call,
                     const char *doing, struct sheaf_snapshot_folder *folder, struct sheaf_snapshot_id *id)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    char path[PATH_MAX];
    bool copies = sheaf_buddy_is_on(team), makes = makes_folder(team);
    check(team, dir, path, &why);
    *id = draw_id(team, &why);
    if (makes && !why.text[0] && sheaf_folder_create(folder, path, tag, id, true, &why) == 0 &&
        !sheaf_buddy_is_asked_for())
        sheaf_folder_remove_dead(folder, false);
    if (sheaf_snapshot_meet(team, &why, call, doing) != 0)
        return -1;
    if (makes || sheaf_folder_join(folder, path, tag, id, &why) == 0)
        write_file(folder, id, copies, &why);
    if (sheaf_snapshot_meet(team, &why, call, doing) != 0)
        return -1;
    if (!copies)
        return 0;
    sheaf_buddy_copy(team, folder, &why);
    return sheaf_snapshot_meet(team, &why, call, doing);
}

/* The one under way, for whoever leaves it. */
static __thread struct {
    struct sheaf_team *team;
    struct sheaf_snapshot_folder folder;
    bool may_have_name; /* a host's has, or soon */
} now;

/* One host's alone would have it where another cannot. */
static int publish(struct sheaf_team *team, struct sheaf_snapshot_folder *folder, const char *call,
                   const char *doing)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    bool has_name = makes_folder(team) && sheaf_folder_publish(folder, &why) == 0;
    int failed = sheaf_snapshot_meet(team, &why, call, doing);
    if (failed && has_name)
        sheaf_folder_take_back(folder);
    if (failed)
        sheaf_sync(team);
    return failed;
}

/* In steps, each of which all members do or none goes on. No host gives its folder the name before the
 * files of all hosts are whole, and none removes one of both before all have given it, so that a restart
 * finds either snapshot whole, under that name or beside it. */
static int take(struct sheaf_team *team, const char *dir, const char *tag, const char *call,
                struct sheaf_snapshot_folder *folder)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    struct sheaf_snapshot_id id;
    char doing[320];
    snprintf(doing, sizeof doing, "no snapshot %.64s in %.200s", tag ? tag : "(null)",
             dir ? dir : "(null)");
    if (write_all(team, dir, tag, call, doing, folder, &id) != 0)
        return -1;
    if (makes_folder(team))
        describe(team, folder, &id, &why);
    now.may_have_name = true;
    if (sheaf_snapshot_meet(team, &why, call, doing) != 0)
        return -1;
    return publish(team, folder, call, doing);
}

static void remove_replaced(struct sheaf_team *team, const struct sheaf_snapshot_folder *folder)
{
    sheaf_folder_remove_file(folder, sheaf_job.pe);
    sheaf_sync(team);
    if (!makes_folder(team))
        return;
    sheaf_folder_remove_replaced(folder);
    if (sheaf_buddy_is_asked_for()) /* not before all hosts have this one */
        sheaf_folder_remove_dead(folder, true);
}

/* A member has died. The first one alone may give the folder its name, and so it alone removes it while it
 * lives. Where hosts have folders of their own nothing is removed that another host's may need. */
static void abandon(void)
{
    bool is_needed = sheaf_buddy_is_on(now.team) && now.may_have_name;
    if (!is_needed && (makes_folder(now.team) || sheaf_survival->is_dead(now.team, 0)))
        sheaf_folder_abandon(&now.folder);
    sheaf_folder_close(&now.folder);
}

/* Once: what is asked for is not there. */
static void say_alone(const struct sheaf_team *team, const char *call)
{
    static bool is_said;
    bool is_alone = sheaf_buddy_is_asked_for() && !sheaf_buddy_is_on(team);
    if (is_alone && team->rank == 0 && !is_said)
        sheaf_warn("%s: SHEAF_BUDDY=1: all PEs of the team are on one host, so no other host has a copy",
                   call);
    is_said |= is_alone;
}

int sheaf_snapshot_take(struct sheaf_team *team, const char *dir, const char *tag, const char *call)
{
    SHEAF_KEEP_ERRNO;
    sheaf_snapshot_settle(team);
    sheaf_snapshot_settle_restart(false);
    say_alone(team, call);
    now.team = team;
    now.folder = (struct sheaf_snapshot_folder){.dir = -1, .part = -1};
    now.may_have_name = false;
    sheaf_survival->set_cleanup(abandon);
    int failed = take(team, dir ? dir : sheaf_job.settings.snapshot_dir, tag, call, &now.folder);
    if (!failed)
        remove_replaced(team, &now.folder);
    sheaf_survival->set_cleanup(NULL);
    if (!failed)
        sheaf_snapshot_written();
    else if (makes_folder(team))
        sheaf_folder_drop(&now.folder);
    sheaf_folder_close(&now.folder);
    return failed;
}
