/* SPDX-License-Identifier: BSD-3-Clause
 * See snapshot.h.
 */
#include "oshrun/command/snapshot.h"

#include "base/settings/env.h"
#include "oshrun/command/elf_file.h"
#include "oshrun/command/output_folder.h"
#include "oshrun/command/say.h"
#include "snapshot/file/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *needs_folder; /* the option that asks for snapshots */

static void set_variable(const char *variable, const char *value)
{
    if (setenv(variable, value, 1) != 0)
        sheaf_die(1, "out of memory");
}

void sheaf_snapshot_set_folder(const char *option, const char *folder, const char *variable)
{
    if (strstr(folder, "%h") && strcmp(variable, "SHEAF_SNAPSHOT_DIR") == 0) {
        set_variable(variable, folder); /* each host has a folder of its own, SHEAF_BUDDY */
        return;
    }
    char *path = sheaf_output_folder_make(option, folder, 0700);
    set_variable(variable, path);
    free(path);
}

void sheaf_snapshot_set_dir(const char *option, const char *folder)
{
    sheaf_snapshot_set_folder(option, folder, "SHEAF_SNAPSHOT_DIR");
}

void sheaf_snapshot_set_every(const char *option, const char *seconds)
{
    uint64_t ns;
    if (sheaf_parse_seconds(seconds, &ns) != 0 || ns == 0)
        sheaf_die(STATUS_USAGE, "%s %s: expected seconds, more than 0", option, seconds);
    set_variable("SHEAF_SNAPSHOT_EVERY", seconds);
    needs_folder = option;
}

void sheaf_snapshot_set_signal(const char *option, const char *name)
{
    if (strcmp(name, "USR1") != 0 && strcmp(name, "USR2") != 0)
        sheaf_die(STATUS_USAGE, "%s %s: expected USR1 or USR2", option, name);
    set_variable("SHEAF_SNAPSHOT_SIGNAL", name);
    needs_folder = option;
}

/* A snapshot's manifest, and the time when it was finished. */
struct found {
    struct sheaf_manifest manifest;
    int64_t time;
};

/* Reads the snapshot folder/tag, or folder itself where tag is NULL. Returns -1 with a reason: there is
 * none, or none that may be used. */
static int read_snapshot(const char *folder, const char *tag, struct found *found,
                         struct sheaf_snapshot_reason *why)
{
    struct stat status;
    int fd = sheaf_folder_open(folder, tag, why);
    int failed = fd < 0 || sheaf_manifest_read(fd, &found->manifest, why) != 0 ||
                 sheaf_manifest_require_taken(&found->manifest, why) != 0 ||
                 fstatat(fd, SHEAF_MANIFEST, &status, AT_SYMLINK_NOFOLLOW) != 0;
    if (fd >= 0)
        close(fd);
    if (failed)
        return -1;
    found->time = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
    return 0;
}

static bool has_manifest(const char *folder, const char *name)
{
    char path[PATH_MAX];
    struct stat status;
    return snprintf(path, sizeof path, "%s/%s/" SHEAF_MANIFEST, folder, name) < PATH_MAX &&
           lstat(path, &status) == 0;
}

/* Returns the tag of the newest snapshot in folder. A name that begins with a dot is unfinished. NULL:
 * there is none, or, with a reason, none that may be used. */
static char *newest_tag(const char *folder, struct found *best, struct sheaf_snapshot_reason *why)
{
    char *tag = NULL;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        struct sheaf_snapshot_reason unused;
        struct found found;
        if (entry->d_name[0] == '.')
            continue;
        bool is_one = has_manifest(folder, entry->d_name);
        if (read_snapshot(folder, entry->d_name, &found, is_one ? why : &unused) != 0 ||
            (tag && found.time <= best->time))
            continue;
        free(tag);
        tag = strdup(entry->d_name);
        *best = found;
    }
    if (entries)
        closedir(entries);
    return tag;
}

/* Reads the snapshot at folder, on this host. Where folder contains several, *tag is that of the
 * newest, else NULL. Returns -1 with a reason. */
static int find_snapshot(const char *folder, char **tag, struct found *found,
                         struct sheaf_snapshot_reason *why)
{
    struct stat status;
    *tag = NULL;
    if (stat(folder, &status) != 0)
        return sheaf_snapshot_explain(why, "%s", strerror(errno));
    if (has_manifest(folder, "."))
        return read_snapshot(folder, NULL, found, why);
    *tag = newest_tag(folder, found, why);
    return *tag ? 0 : why->text[0] ? -1 : sheaf_snapshot_explain(why, "there is no snapshot in it");
}

/* Whether each host may have a folder of its own. */
static bool is_each_hosts_own(const struct options *options)
{
    const char *buddy = sheaf_program_setting(&options->programs[0], "SHEAF_BUDDY");
    return buddy && sheaf_names_find(sheaf_buddy_names, buddy) == SHEAF_BUDDY_ON;
}

/* The folder's absolute path on this host, allocated; NULL: there is none. With is_own, the host's name
 * replaces %h. */
static char *path_here(const char *folder, bool is_own)
{
    const char *mark = is_own ? strstr(folder, "%h") : NULL, *host = sheaf_settings_text("SHEAF_HOST");
    char name[HOST_NAME_MAX + 1] = "", *path = NULL, *full = NULL;
    if (!mark)
        return realpath(folder, NULL);
    if (!host && gethostname(name, sizeof name - 1) == 0)
        host = name;
    if (host && asprintf(&path, "%.*s%s%s", (int)(mark - folder), folder, host, mark + 2) >= 0)
        full = realpath(path, NULL);
    free(path);
    return full;
}

/* Sets the variable for the PEs: the absolute path, with %h unchanged. */
static void set_restart(const char *option, const char *folder, const char *tag)
{
    char here[PATH_MAX] = "", *told = NULL;
    if (folder[0] != '/' && !getcwd(here, sizeof here))
        sheaf_die(STATUS_USAGE, "%s %s: the working directory: %s", option, folder, strerror(errno));
    if (asprintf(&told, "%s%s%s%s%s", here, *here ? "/" : "", folder, tag ? "/" : "", tag ? tag : "") < 0)
        sheaf_die(1, "out of memory");
    set_variable("SHEAF_RESTART", told);
    free(told);
}

/* Takes the job's number of PEs and heap from the snapshot. */
static void take_over_manifest(struct options *options, const struct sheaf_manifest *manifest)
{
    static char size[24];
    options->restart_npes = manifest->npes;
    if (options->heap)
        return;
    snprintf(size, sizeof size, "%llu", (unsigned long long)manifest->heap);
    options->heap = size;
}

void sheaf_snapshot_restart(struct options *options)
{
    struct sheaf_snapshot_reason why = {.text = ""};
    struct found found;
    const char *folder = options->restart;
    if (needs_folder && !sheaf_program_setting(&options->programs[0], "SHEAF_SNAPSHOT_DIR"))
        sheaf_die(STATUS_USAGE, "%s needs a folder for the snapshots: --snapshot-dir DIR", needs_folder);
    if (!folder)
        return;
    bool is_own = is_each_hosts_own(options);
    char *path = path_here(folder, is_own), *tag = NULL;
    int failed = path ? find_snapshot(path, &tag, &found, &why)
                      : sheaf_snapshot_explain(&why, "%s", strerror(errno));
    if (failed && (!is_own || options->hosts.count == 0))
        sheaf_die(STATUS_USAGE, "--restart %s: %s", folder, why.text);
    if (!failed)
        take_over_manifest(options, &found.manifest);
    set_restart("--restart", is_own ? folder : path, tag);
    free(tag);
    free(path);
}

/* Whether a program may take snapshots: it names the call, or its environment asks for them. */
static bool takes_snapshots(const struct program *program)
{
    static const char *const names[] = {"shmemx_snapshot", "shmemx_restore",
                                        "sheaf_fortran_shmemx_snapshot",
                                        "sheaf_fortran_shmemx_restore", NULL};
    return sheaf_settings_text("SHEAF_SNAPSHOT_DIR") || sheaf_settings_text("SHEAF_RESTART") ||
           sheaf_elf_names(program->path, names);
}

/* Switches address randomization off; where the kernel forbids that, a restart warns. */
static bool switch_randomization_off(void)
{
    int now = personality(0xffffffff);
    return now >= 0 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0;
}

/* Where another launcher starts the PEs, setarch(1) does this on each host. */
void sheaf_snapshot_settle(struct options *options)
{
    for (int i = 0; i < options->program_count && !options->no_aslr; i++) {
        struct program *program = &options->programs[i];
        if (!takes_snapshots(program))
            continue;
        if (options->hosts.count)
            program->keeps_addresses = true;
        else
            options->no_aslr = switch_randomization_off();
    }
}
