/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See snapshot.h. Taking and restoring are done in steps. After each step the members exchange whether one
 * of them has failed.
 *
 * Taking a snapshot: every PE writes its own file and makes it durable. Then all agree that they have
 * succeeded, and only then PE 0 renames the folder. So if a PE is killed at any moment, either the earlier
 * snapshot exists or this one.
 *
 * Restoring a snapshot: all members check all of their files before any of them changes memory.
 */
#include "snapshot/snapshot.h"

#include "base/keep_errno.h"
#include "base/log.h"
#include "core/access/context.h"
#include "core/access/order.h"
#include "core/pe/job.h"
#include "core/team/agree.h"
#include "core/team/note.h"
#include "core/team/sync.h"
#include "image/image.h"
#include "snapshot/buddy.h"
#include "snapshot/file/folder.h"
#include "snapshot/pe_file.h"
#include "snapshot/search.h"
#include "snapshot/state.h"
#include "survive/interface/survival.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

static bool is_used; /* a snapshot or a restore was called for */

/* Collective. Returns -1 on all members where one of them has a text in why; the first such member
 * prints "call: doing DIR/TAG: why". */
static int agree_on_failure(struct sheaf_team *team, const struct sheaf_snapshot_reason *why,
                            const char *call, const char *doing)
{
    int refusing = sheaf_team_first(team, why->text[0] != '\0');
    if (refusing == team->rank)
        sheaf_warn("SH801 %s: %s: %s", call, doing, why->text);
    sheaf_sync(team);
    return refusing < 0 ? 0 : -1;
}

static void hear_first_id(void *result, int rank, const void *note)
{
    if (rank == 0)
        memcpy(result, note, sizeof(struct sheaf_snapshot_id));
}

/* Collective. Returns rank 0's id. */
static struct sheaf_snapshot_id share_id(struct sheaf_team *team, const struct sheaf_snapshot_id *mine)
{
    struct sheaf_snapshot_id first = *mine;
    sheaf_team_gather(team, mine, sizeof *mine, hear_first_id, &first);
    sheaf_sync(team);
    return first;
}

static void quiet_contexts(const struct sheaf_team *team)
{
    for (struct sheaf_context *context = team->contexts; context; context = context->next)
        sheaf_context_quiet(context);
}

/* Collective: completes all operations of all members, on every context. With SHMEM_THREAD_MULTIPLE
 * another thread's contexts are left to that thread. */
static void complete_all(struct sheaf_team *team)
{
    if (sheaf_job.thread_level != SHMEM_THREAD_MULTIPLE) {
        quiet_contexts(sheaf_team_world());
        quiet_contexts(sheaf_team_find(SHMEM_TEAM_SHARED, "shmemx_snapshot"));
        for (const struct sheaf_team *other = NULL; (other = sheaf_team_next(other));)
            quiet_contexts(other);
    }
    sheaf_quiet();
    sheaf_sync(team);
}

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

/* Where the files are: in one folder that all hosts share, or in a folder on each host. */
struct source {
    struct sheaf_team *team;
    const char *call;
    bool is_apart;
    struct sheaf_search search; /* for one folder: only the folder and its manifest */
};

static void open_files(struct source *source, struct sheaf_snapshot_files *files,
                       struct sheaf_snapshot_reason *why)
{
    struct sheaf_search *search = &source->search;
    int file = search->file;
    if (check_members(source->team, &search->manifest, why) != 0)
        return;
    search->file = -1; /* now owned by files */
    sheaf_snapshot_open(files, search->folder, file, &search->manifest.id,
                        source->team->size != sheaf_job.npes, why);
}

/* Opens the files, until each is undamaged or a damaged one has no other copy. */
static void open_undamaged(struct source *source, struct sheaf_snapshot_files *files,
                           struct sheaf_snapshot_reason *why)
{
    do {
        if (!why->text[0] && files->count == 0)
            open_files(source, files, why);
    } while (source->is_apart && sheaf_search_replace(&source->search, why, source->call));
}

/* Changes memory; from here on the restore cannot be undone. */
static void load_files(struct sheaf_team *team, const struct sheaf_snapshot_files *files, const char *call)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    int failed = sheaf_snapshot_load(files, &why);
    if (!failed && team->size == sheaf_job.npes)
        failed = sheaf_state_adopt(files->state, &why);
    if (failed)
        sheaf_fatal("SH802 %s: the snapshot changed while it was read, and is restored in part: %s", call,
                    why.text);
}

/* This thread's restore, for abandon_restore() when a member has died. */
static __thread struct {
    struct source *source;
    struct sheaf_snapshot_files *files; /* NULL: not open yet */
} restoring;

static void abandon_restore(void)
{
    if (restoring.files)
        sheaf_snapshot_close(restoring.files);
    sheaf_search_end(&restoring.source->search);
}

static int restore_from(struct source *source, struct sheaf_snapshot_reason *why, const char *doing)
{
    struct sheaf_snapshot_files files = {.count = 0};
    struct sheaf_team *team = source->team;
    restoring.files = &files;
    open_undamaged(source, &files, why);
    struct sheaf_snapshot_id id = share_id(team, &source->search.manifest.id);
    if (!why->text[0] && !sheaf_snapshot_same(&id, &source->search.manifest.id))
        sheaf_snapshot_explain(why, "PE %d has another snapshot there than PE %d", sheaf_job.pe,
                               sheaf_team_world_pe(team, 0));
    int failed = agree_on_failure(team, why, source->call, doing);
    if (!failed)
        load_files(team, &files, source->call);
    restoring.files = NULL;
    sheaf_snapshot_close(&files);
    return failed;
}

/* Opens the one folder that all hosts share. */
static void find_folder(const char *dir, const char *tag, struct sheaf_search *found,
                        struct sheaf_snapshot_reason *why)
{
    *found = (struct sheaf_search){.folder = sheaf_folder_open(dir, tag, why), .file = -1,
                                   .part = {.dir = -1, .part = -1}};
    if (found->folder >= 0 && sheaf_manifest_read(found->folder, &found->manifest, why) == 0)
        sheaf_manifest_require_taken(&found->manifest, why);
}

/* Splits DIR/TAG: path becomes DIR; returns TAG. */
static const char *split_tag(char path[PATH_MAX])
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

/* Removes folders that killed jobs have left. */
static void tidy_source(struct source *source)
{
    const struct sheaf_team *team = source->team;
    bool is_mine = source->is_apart ? sheaf_buddy_leads(team) : team->rank == 0;
    if (!is_mine || source->search.folder < 0)
        return;
    if (source->is_apart && sheaf_search_publish(&source->search) != 0)
        return;
    sheaf_folder_tidy(source->search.folder, sheaf_buddy_is_asked_for() ? source->search.tag : NULL);
}

bool sheaf_snapshot_is_used(void)
{
    return is_used;
}

void sheaf_snapshot_check_restart(bool is_restored)
{
    static bool is_settled;
    const struct sheaf_settings *settings = &sheaf_job.settings;
    if (!settings->restart || is_settled)
        return;
    is_settled = true;
    if (is_restored && !settings->snapshot_every_ns && !settings->snapshot_signal)
        sheaf_agree_set_visit(NULL);
    else if (!is_restored && sheaf_job.pe == 0)
        sheaf_warn("SH804 SHEAF_RESTART is set (oshrun --restart), and the program calls no shmemx_restore "
                   "with dir NULL: it starts at its beginning, and not from %s", settings->restart);
}

int sheaf_snapshot_restore(struct sheaf_team *team, const char *dir, const char *tag, const char *call)
{
    SHEAF_KEEP_ERRNO;
    struct sheaf_snapshot_reason why = {.text = ""};
    struct source source = {.team = team, .call = call, .is_apart = sheaf_buddy_is_on(team),
                            .search = {.folder = -1, .file = -1, .part = {.dir = -1, .part = -1}}};
    char doing[320], path[PATH_MAX] = "";
    complete_all(team);
    if (!dir && !sheaf_job.settings.restart)
        return 1;
    is_used = true;
    if (!dir)
        sheaf_snapshot_check_restart(true);
    tag = dir ? tag : NULL;
    dir = dir ? dir : sheaf_job.settings.restart;
    snprintf(doing, sizeof doing, "%.200s%s%.64s is not restored", dir, tag ? "/" : "", tag ? tag : "");
    sheaf_buddy_name_dir(path, dir, &why);
    restoring.source = &source;
    restoring.files = NULL;
    sheaf_survival->set_cleanup(abandon_restore);
    if (source.is_apart)
        sheaf_search_begin(&source.search, team, path, tag ? tag : split_tag(path), &why);
    else
        find_folder(path, tag, &source.search, &why);
    int failed = restore_from(&source, &why, doing);
    if (!failed)
        tidy_source(&source);
    sheaf_survival->set_cleanup(NULL);
    sheaf_search_end(&source.search);
    sheaf_sync(team);
    return failed;
}

/* Draws a random id on rank 0 and shares it. */
static struct sheaf_snapshot_id draw_id(struct sheaf_team *team, struct sheaf_snapshot_reason *why)
{
    struct sheaf_snapshot_id id = {{0, 0}};
    if (team->rank == 0 && getrandom(&id, sizeof id, 0) != sizeof id)
        sheaf_snapshot_explain(why, "there are no random numbers");
    return share_id(team, &id);
}

static void check_request(const struct sheaf_team *team, const char *dir, char path[PATH_MAX],
                          struct sheaf_snapshot_reason *why)
{
    if (!dir)
        sheaf_snapshot_explain(why, "name a folder, or set SHEAF_SNAPSHOT_DIR");
    else if (team->table)
        sheaf_snapshot_explain(why, "the team's PEs are not evenly apart");
    else
        sheaf_buddy_name_dir(path, dir, why);
}

static void write_pe_file(const struct sheaf_snapshot_folder *folder, const struct sheaf_snapshot_id *id,
                          bool whole, struct sheaf_snapshot_reason *why)
{
    char name[SHEAF_SNAPSHOT_FILE_NAME];
    sheaf_folder_name_file(name, sheaf_job.pe);
    sheaf_snapshot_write(folder, name, id, whole, why);
}

static void write_manifest(const struct sheaf_team *team, const struct sheaf_snapshot_folder *folder,
                           const struct sheaf_snapshot_id *id, struct sheaf_snapshot_reason *why)
{
    struct sheaf_manifest manifest = {.id = *id, .npes = sheaf_job.npes, .start = team->start,
                                      .stride = team->stride, .size = team->size,
                                      .heap = sheaf_image.segments[SHEAF_SEGMENT_HEAP].length};
    memcpy(manifest.build_id, sheaf_image_build_id(), sizeof manifest.build_id);
    sheaf_manifest_write(folder->part, &manifest, why);
}

/* Whether this member makes the folder and renames it: one member, or one on each host. */
static bool makes_folder(const struct sheaf_team *team)
{
    return sheaf_buddy_is_on(team) ? sheaf_buddy_leads(team) : team->rank == 0;
}

/* Writes the files of all members, in folders with temporary names. */
static int write_all_files(struct sheaf_team *team, const char *dir, const char *tag, const char *call,
                           const char *doing, struct sheaf_snapshot_folder *folder,
                           struct sheaf_snapshot_id *id)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    char path[PATH_MAX];
    bool copies = sheaf_buddy_is_on(team), makes = makes_folder(team);
    check_request(team, dir, path, &why);
    *id = draw_id(team, &why);
    if (makes && !why.text[0] && sheaf_folder_create(folder, path, tag, id, true, &why) == 0 &&
        !sheaf_buddy_is_asked_for())
        sheaf_folder_remove_dead(folder, false);
    if (agree_on_failure(team, &why, call, doing) != 0)
        return -1;
    if (makes || sheaf_folder_join(folder, path, tag, id, &why) == 0)
        write_pe_file(folder, id, copies, &why);
    if (agree_on_failure(team, &why, call, doing) != 0)
        return -1;
    if (!copies)
        return 0;
    sheaf_buddy_copy(team, folder, &why);
    return agree_on_failure(team, &why, call, doing);
}

/* This thread's snapshot, for abandon_take(). */
static __thread struct {
    struct sheaf_team *team;
    struct sheaf_snapshot_folder folder;
    bool may_have_name; /* some host's folder may have its name */
} taking;

/* Renames the folder on all hosts, or on none: where one cannot, the others undo it. */
static int publish_folder(struct sheaf_team *team, struct sheaf_snapshot_folder *folder, const char *call,
                          const char *doing)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    bool has_name = makes_folder(team) && sheaf_folder_publish(folder, &why) == 0;
    int failed = agree_on_failure(team, &why, call, doing);
    if (failed && has_name)
        sheaf_folder_unpublish(folder);
    if (failed)
        sheaf_sync(team);
    return failed;
}

/* Takes the snapshot in steps, each of which all members complete before the next. No host renames its
 * folder before the files of all hosts are complete, and none removes the earlier snapshot before all
 * have renamed. So a restart finds one of the two complete, under the tag or under the temporary name. */
static int take_in_steps(struct sheaf_team *team, const char *dir, const char *tag, const char *call,
                         struct sheaf_snapshot_folder *folder)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    struct sheaf_snapshot_id id;
    char doing[320];
    snprintf(doing, sizeof doing, "no snapshot %.64s in %.200s", tag ? tag : "(null)",
             dir ? dir : "(null)");
    if (write_all_files(team, dir, tag, call, doing, folder, &id) != 0)
        return -1;
    if (makes_folder(team))
        write_manifest(team, folder, &id, &why);
    taking.may_have_name = true;
    if (agree_on_failure(team, &why, call, doing) != 0)
        return -1;
    return publish_folder(team, folder, call, doing);
}

static void remove_replaced(struct sheaf_team *team, const struct sheaf_snapshot_folder *folder)
{
    sheaf_folder_remove_file(folder, sheaf_job.pe);
    sheaf_sync(team);
    if (!makes_folder(team))
        return;
    sheaf_folder_remove_replaced(folder);
    if (sheaf_buddy_is_asked_for()) /* only once all hosts have this snapshot */
        sheaf_folder_remove_dead(folder, true);
}

/* Called when a member has died. Only rank 0 renames the folder, so only rank 0 removes it while it
 * lives. Where hosts have folders of their own, nothing is removed that another host may need. */
static void abandon_take(void)
{
    bool is_needed = sheaf_buddy_is_on(taking.team) && taking.may_have_name;
    if (!is_needed && (makes_folder(taking.team) || sheaf_survival->is_dead(taking.team, 0)))
        sheaf_folder_abandon(&taking.folder);
    sheaf_folder_close(&taking.folder);
}

/* Warns once that the setting has no effect on one host. */
static void warn_of_one_host(const struct sheaf_team *team, const char *call)
{
    static bool is_said;
    bool is_alone = sheaf_buddy_is_asked_for() && !sheaf_buddy_is_on(team);
    if (is_alone && team->rank == 0 && !is_said)
        sheaf_warn("SH806 %s: SHEAF_BUDDY=on: all PEs of the team are on one host, so no other host has a "
                   "copy", call);
    is_said |= is_alone;
}

int sheaf_snapshot_take(struct sheaf_team *team, const char *dir, const char *tag, const char *call)
{
    SHEAF_KEEP_ERRNO;
    is_used = true;
    complete_all(team);
    sheaf_snapshot_check_restart(false);
    warn_of_one_host(team, call);
    taking.team = team;
    taking.folder = (struct sheaf_snapshot_folder){.dir = -1, .part = -1};
    taking.may_have_name = false;
    sheaf_survival->set_cleanup(abandon_take);
    const char *where = dir ? dir : sheaf_job.settings.snapshot_dir;
    int failed = take_in_steps(team, where, tag, call, &taking.folder);
    if (!failed)
        remove_replaced(team, &taking.folder);
    sheaf_survival->set_cleanup(NULL);
    if (!failed)
        sheaf_snapshot_written();
    else if (makes_folder(team))
        sheaf_folder_drop(&taking.folder);
    sheaf_folder_close(&taking.folder);
    return failed;
}
