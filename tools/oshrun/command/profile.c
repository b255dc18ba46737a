/* SPDX-License-Identifier: BSD-3-Clause
 * See profile.h.
 */
#include "oshrun/command/profile.h"

#include "oshrun/command/output_folder.h"
#include "oshrun/command/say.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool holds_profile(const char *folder)
{
    bool found = false;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && !found && (entry = readdir(entries));) {
        size_t length = strlen(entry->d_name);
        found = strncmp(entry->d_name, "pe-", 3) == 0 && length > 6 &&
                strcmp(entry->d_name + length - 6, ".sheaf") == 0;
    }
    if (entries)
        closedir(entries);
    return found;
}

const char *sheaf_profile_prepare(const char *option, const char *folder, const char *variable)
{
    char *path = sheaf_output_folder_make(option, folder, 0700);
    if (holds_profile(path))
        sheaf_die(
            STATUS_USAGE,
            "%s %s: it holds the profile of another run: name another folder, or remove that one",
            option, folder);
    if (setenv(variable, path, 1) != 0)
        sheaf_die(1, "out of memory");
    return path;
}

/* Finds oshprof in oshrun's own folder. */
static bool find_oshprof(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 16);
    if (length < 0)
        return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    strcpy(slash ? slash + 1 : path, "oshprof");
    return access(path, X_OK) == 0;
}

static bool write_trace(const char *folder)
{
    char path[PATH_MAX + 16];
    int status = 0;
    if (!find_oshprof(path, sizeof path))
        return false;
    pid_t child = fork();
    if (child == 0) {
        execl(path, "oshprof", "--trace", folder, (char *)NULL);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void sheaf_profile_finish(const char *folder, bool is_trace)
{
    if (!holds_profile(folder))
        sheaf_say("no profile in %s: no PE has made one; does the program call shmem_init?", folder);
    else if (!is_trace)
        sheaf_say("the profile is in %s: oshprof %s", folder, folder);
    else if (!write_trace(folder))
        sheaf_say("the trace is in %s, in a file per PE: oshprof --trace %s makes one of them", folder,
                  folder);
}
