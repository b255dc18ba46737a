/* SPDX-License-Identifier: BSD-3-Clause
 * See private_folder.h.
 */
#include "oshrun/mpi/pmix/private_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define STEM "sheaf-pmix-"
/* Open MPI's session has two levels below it. */
#define MOST_LEVELS 16
/* Somebody who clears up may take a new folder for an old one before it is locked. */
#define ATTEMPTS 8

static const char *parent(void)
{
    const char *named = getenv("TMPDIR");
    return named && *named == '/' ? named : "/tmp";
}

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Takes over the descriptor. */
static void empty(int folder, int levels)
{
    DIR *list = fdopendir(folder);
    if (!list) {
        close(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(list));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            unlinkat(folder, entry->d_name, 0) == 0)
            continue;
        int below = levels > 0 ? open_folder(folder, entry->d_name) : -1;
        if (below >= 0)
            empty(below, levels - 1);
        unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    }
    closedir(list);
}

void sheaf_private_folder_remove(const char *path)
{
    int folder = open_folder(AT_FDCWD, path);
    if (folder < 0)
        return;
    empty(folder, MOST_LEVELS);
    rmdir(path);
}

/* This user's, shut to others, still there, and locked by nobody: then by this process. */
static bool is_left_over(int folder)
{
    struct stat status;
    return fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 077) == 0 &&
           flock(folder, LOCK_EX | LOCK_NB) == 0;
}

static void clear_up(const char *above)
{
    DIR *list = opendir(above);
    if (!list)
        return;
    for (struct dirent *entry; (entry = readdir(list));) {
        if (strncmp(entry->d_name, STEM, sizeof STEM - 1) != 0)
            continue;
        int folder = open_folder(dirfd(list), entry->d_name);
        if (folder < 0)
            continue;
        int copy = is_left_over(folder) ? fcntl(folder, F_DUPFD_CLOEXEC, 0) : -1;
        if (copy >= 0) {
            empty(copy, MOST_LEVELS);
            unlinkat(dirfd(list), entry->d_name, AT_REMOVEDIR);
        }
        close(folder);
    }
    closedir(list);
}

/* Locks what was made just now. -1 where somebody has taken it for a left one. */
static int take(const char *path)
{
    struct stat status;
    int folder = open_folder(AT_FDCWD, path);
    if (folder >= 0 && flock(folder, LOCK_EX | LOCK_NB) == 0 && fstat(folder, &status) == 0 &&
        status.st_nlink > 0)
        return folder;
    if (folder >= 0)
        close(folder);
    errno = EAGAIN;
    return -1;
}

int sheaf_private_folder_make(char *path, size_t size)
{
    clear_up(parent());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if ((size_t)snprintf(path, size, "%s/" STEM "XXXXXX", parent()) >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        if (!mkdtemp(path))
            return -1;
        int folder = take(path);
        if (folder >= 0)
            return folder;
    }
    return -1;
}
