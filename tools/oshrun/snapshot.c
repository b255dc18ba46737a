/* SPDX-License-Identifier: BSD-3-Clause
 * See snapshot.h. The manifest is text, of which the library checks all.
 */
#include "snapshot.h"

#include "base/settings/env.h"
#include "elf/elf_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

static void set(const char *variable, const char *value)
{
    if (setenv(variable, value, 1) != 0)
        sheaf_die(1, "out of memory");
}

void sheaf_snapshot_set_dir(const char *option, const char *folder)
{
    if (!*folder || (mkdir(folder, 0700) != 0 && errno != EEXIST))
        sheaf_die(STATUS_USAGE, "%s %s: %s", option, folder,
                  *folder ? strerror(errno) : "expected a directory");
    char *path = realpath(folder, NULL);
    if (!path || access(path, W_OK | X_OK) != 0)
        sheaf_die(STATUS_USAGE, "%s %s: %s", option, folder, strerror(errno));
    set("SHEAF_SNAPSHOT_DIR", path);
    free(path);
}

void sheaf_snapshot_set_every(const char *option, const char *seconds)
{
    uint64_t ns;
    if (sheaf_parse_seconds(seconds, &ns) != 0 || ns == 0)
        sheaf_die(STATUS_USAGE, "%s %s: expected seconds, more than 0", option, seconds);
    set("SHEAF_SNAPSHOT_EVERY", seconds);
}

void sheaf_snapshot_set_signal(const char *option, const char *name)
{
    if (strcmp(name, "USR1") != 0 && strcmp(name, "USR2") != 0)
        sheaf_die(STATUS_USAGE, "%s %s: expected USR1 or USR2", option, name);
    set("SHEAF_SNAPSHOT_SIGNAL", name);
}

/* When the snapshot of this name was finished; -1: there is none. */
static int64_t finished(const char *folder, const char *tag)
{
    char path[PATH_MAX];
    struct stat status;
    int length = snprintf(path, sizeof path, "%s/%s/manifest", folder, tag);
    if (length >= (int)sizeof path || lstat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return -1;
    return (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
}

/* The newest of those in folder; what has a point in front is not finished. */
static char *newest(const char *folder)
{
    char *best = NULL;
    int64_t latest = -1;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        int64_t time = entry->d_name[0] == '.' ? -1 : finished(folder, entry->d_name);
        if (time > latest) {
            latest = time;
            free(best);
            best = strdup(entry->d_name);
        }
    }
    if (entries)
        closedir(entries);
    return best;
}

static char *find(const char *option, const char *folder)
{
    char *path = realpath(folder, NULL), *tag, *full;
    if (!path)
        sheaf_die(STATUS_USAGE, "%s %s: %s", option, folder, strerror(errno));
    if (finished(path, ".") >= 0)
        return path;
    tag = newest(path);
    if (!tag)
        sheaf_die(STATUS_USAGE, "%s %s: there is no snapshot in it", option, folder);
    if (asprintf(&full, "%s/%s", path, tag) < 0)
        sheaf_die(1, "out of memory");
    free(path);
    free(tag);
    return full;
}

static void read_manifest(const char *folder, int *npes, unsigned long long *heap)
{
    char path[PATH_MAX], line[256];
    snprintf(path, sizeof path, "%s/manifest", folder);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "npes %d", npes) != 1)
            sscanf(line, "heap %llu", heap);
    if (file)
        fclose(file);
}

void sheaf_snapshot_restart(struct options *options, const char *option, const char *folder)
{
    int npes = 0;
    unsigned long long heap = 0;
    char *path = find(option, folder), *size;
    read_manifest(path, &npes, &heap);
    if (npes < 1 || heap == 0)
        sheaf_die(STATUS_USAGE, "%s %s: its manifest is damaged, or of another version", option, folder);
    options->restart_npes = npes;
    if (!options->heap && asprintf(&size, "%llu", heap) >= 0)
        options->heap = size;
    set("SHEAF_RESTART", path);
    free(path);
}

/* A program that snapshots by itself, or is to by its environment. */
static bool takes_snapshots(const struct program *program)
{
    static const char *const names[] = {"shmemx_snapshot", "shmemx_restore",
                                        "sheaf_fortran_shmemx_snapshot",
                                        "sheaf_fortran_shmemx_restore", NULL};
    return getenv("SHEAF_SNAPSHOT_DIR") || getenv("SHEAF_RESTART") || sheaf_elf_names(program->path, names);
}

/* Where the kernel does not let oshrun, a restart says so. */
static bool keep_addresses(void)
{
    int now = personality(0xffffffff);
    return now >= 0 && personality((unsigned long)now | ADDR_NO_RANDOMIZE) >= 0;
}

/* A launcher's PEs are started by setarch(1) on each host. */
void sheaf_snapshot_settle(struct options *options)
{
    for (int i = 0; i < options->program_count && !options->no_aslr; i++) {
        struct program *program = &options->programs[i];
        if (!takes_snapshots(program))
            continue;
        if (options->hosts.count)
            program->keeps_addresses = true;
        else
            options->no_aslr = keep_addresses();
    }
}
