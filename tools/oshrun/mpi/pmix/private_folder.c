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
/* The most levels of folders that are removed. Open MPI's session has two levels below this folder. */
#define MOST_LEVELS 16
/* Attempts to make a folder: another process that removes old folders may take a new one for an old one
 * before it is locked. */
#define ATTEMPTS 8

static const char *parent_folder(void)
{
    const char *named = getenv("TMPDIR");
    return named && *named == '/' ? named : "/tmp";
}

static int open_folder(int at, const char *name)
{
    return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Removes the contents of a folder, and closes its descriptor. */
static void remove_contents(int folder, int levels)
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
            remove_contents(below, levels - 1);
        unlinkat(folder, entry->d_name, AT_REMOVEDIR);
    }
    closedir(list);
}

void sheaf_private_folder_remove(const char *path)
{
    int folder = open_folder(AT_FDCWD, path);
    if (folder < 0)
        return;
    remove_contents(folder, MOST_LEVELS);
    rmdir(path);
}

/* Whether a folder is left over: this user's, closed to others, still there, and locked by no process;
 * then this process locks it. */
static bool is_left_over(int folder)
{
    struct stat status;
    return fstat(folder, &status) == 0 && status.st_uid == geteuid() && (status.st_mode & 077) == 0 &&
           flock(folder, LOCK_EX | LOCK_NB) == 0;
}

static void remove_leftovers(const char *above)
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
            remove_contents(copy, MOST_LEVELS);
            unlinkat(dirfd(list), entry->d_name, AT_REMOVEDIR);
        }
        close(folder);
    }
    closedir(list);
}

/* Locks the folder just made. Returns -1 where another process has taken it for a left-over one. */
static int lock_folder(const char *path)
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
    remove_leftovers(parent_folder());
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        if ((size_t)snprintf(path, size, "%s/" STEM "XXXXXX", parent_folder()) >= size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        if (!mkdtemp(path))
            return -1;
        int folder = lock_folder(path);
        if (folder >= 0)
            return folder;
    }
    return -1;
}
