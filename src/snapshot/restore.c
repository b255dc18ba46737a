/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Restores a snapshot: see snapshot.h. All members look at all of their files before one of them changes
 * anything.
 */
#include "snapshot/snapshot.h"

#include "base/keep_errno.h"
#include "base/log.h"
#include "survive/door/survival.h"
#include "core/pe/job.h"
#include "core/team/agree.h"
#include "core/team/sync.h"
#include "snapshot/buddy.h"
#include "snapshot/file/folder.h"
#include "snapshot/file/manifest.h"
#include "snapshot/meet.h"
#include "snapshot/pe_state.h"
#include "snapshot/search.h"
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

/* Where the files are: one folder that all hosts have, or each its own. */
struct source {
    struct sheaf_team *team;
    const char *call;
    bool is_apart;
    struct sheaf_search search; /* where it is one folder: that, and its manifest, alone */
};

static void check(struct source *source, struct sheaf_snapshot_files *files,
                  struct sheaf_snapshot_reason *why)
{
    struct sheaf_search *search = &source->search;
    int file = search->file;
    if (check_members(source->team, &search->manifest, why) != 0)
        return;
    search->file = -1; /* the files' now */
    sheaf_snapshot_open(files, search->folder, file, &search->manifest.id,
                        source->team->size != sheaf_job.npes, why);
}

/* Until each file is undamaged, or one has no other copy. */
static void check_all(struct source *source, struct sheaf_snapshot_files *files,
                      struct sheaf_snapshot_reason *why)
{
    do {
        if (!why->text[0] && files->count == 0)
            check(source, files, why);
    } while (source->is_apart && sheaf_search_replace(&source->search, why, source->call));
}

/* From here on nobody can go back. */
static void load(struct sheaf_team *team, const struct sheaf_snapshot_files *files, const char *call)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    int failed = sheaf_snapshot_load(files, &why);
    if (!failed && team->size == sheaf_job.npes)
        failed = sheaf_state_adopt(files->state, &why);
    if (failed)
        sheaf_fatal("%s: the snapshot changed while it was read, and is restored in part: %s", call,
                    why.text);
}

/* The one under way, for whoever leaves it since a member has died. */
static __thread struct {
    struct source *source;
    struct sheaf_snapshot_files *files; /* NULL: none are open yet */
} now;

static void abandon(void)
{
    if (now.files)
        sheaf_snapshot_close(now.files);
    sheaf_search_end(&now.source->search);
}

static int restore(struct source *source, struct sheaf_snapshot_reason *why, const char *doing)
{
    struct sheaf_snapshot_files files = {.count = 0};
    struct sheaf_team *team = source->team;
    now.files = &files;
    check_all(source, &files, why);
    struct sheaf_snapshot_id id = sheaf_snapshot_share_id(team, &source->search.manifest.id);
    if (!why->text[0] && !sheaf_snapshot_same(&id, &source->search.manifest.id))
        sheaf_snapshot_explain(why, "PE %d has another snapshot there than PE %d", sheaf_job.pe,
                               sheaf_team_world_pe(team, 0));
    int failed = sheaf_snapshot_meet(team, why, source->call, doing);
    if (!failed)
        load(team, &files, source->call);
    now.files = NULL;
    sheaf_snapshot_close(&files);
    return failed;
}

/* The one folder that all hosts have. */
static void find(const char *dir, const char *tag, struct sheaf_search *found,
                 struct sheaf_snapshot_reason *why)
{
    *found = (struct sheaf_search){.folder = sheaf_folder_open(dir, tag, why), .file = -1,
                                   .part = {.dir = -1, .part = -1}};
    if (found->folder >= 0 && sheaf_manifest_read(found->folder, &found->manifest, why) == 0)
        sheaf_manifest_require_taken(&found->manifest, why);
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

/* What jobs have left that were killed. */
static void tidy(struct source *source)
{
    const struct sheaf_team *team = source->team;
    bool is_mine = source->is_apart ? sheaf_buddy_leads(team) : team->rank == 0;
    if (!is_mine || source->search.folder < 0)
        return;
    if (source->is_apart && sheaf_search_settle(&source->search) != 0)
        return;
    sheaf_folder_tidy(source->search.folder, sheaf_buddy_is_asked_for() ? source->search.tag : NULL);
}

void sheaf_snapshot_settle_restart(bool is_restored)
{
    static bool is_settled;
    const struct sheaf_settings *settings = &sheaf_job.settings;
    if (!settings->restart || is_settled)
        return;
    is_settled = true;
    if (is_restored && !settings->snapshot_every_ns && !settings->snapshot_signal)
        sheaf_agree_set_visit(NULL);
    else if (!is_restored && sheaf_job.pe == 0)
        sheaf_warn("SHEAF_RESTART is set (oshrun --restart), and the program calls no shmemx_restore with "
                   "dir NULL: it starts at its beginning, and not from %s",
                   settings->restart);
}

int sheaf_snapshot_restore(struct sheaf_team *team, const char *dir, const char *tag, const char *call)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_snapshot_reason why = {.text = ""};
    struct source source = {.team = team, .call = call, .is_apart = sheaf_buddy_is_on(team),
                            .search = {.folder = -1, .file = -1, .part = {.dir = -1, .part = -1}}};
    char doing[320], path[PATH_MAX] = "";
    sheaf_snapshot_settle(team);
    if (!dir && !sheaf_job.settings.restart)
        return 1;
    if (!dir)
        sheaf_snapshot_settle_restart(true);
    tag = dir ? tag : NULL;
    dir = dir ? dir : sheaf_job.settings.restart;
    snprintf(doing, sizeof doing, "%.200s%s%.64s is not restored", dir, tag ? "/" : "", tag ? tag : "");
    sheaf_buddy_name_dir(path, dir, &why);
    now.source = &source;
    now.files = NULL;
    sheaf_survival->set_cleanup(abandon);
    if (source.is_apart)
        sheaf_search_begin(&source.search, team, path, tag ? tag : split(path), &why);
    else
        find(path, tag, &source.search, &why);
    int failed = restore(&source, &why, doing);
    if (!failed)
        tidy(&source);
    sheaf_survival->set_cleanup(NULL);
    sheaf_search_end(&source.search);
    sheaf_sync(team);
    return failed;
}
