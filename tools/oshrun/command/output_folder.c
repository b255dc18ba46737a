/* SPDX-License-Identifier: BSD-3-Clause
 * See output_folder.h.
 */
#include "oshrun/command/output_folder.h"

#include "oshrun/command/say.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *sheaf_output_folder_make(const char *option, const char *folder, mode_t mode)
{
    struct stat status;
    bool is_there = mkdir(folder, mode) == 0 || errno == EEXIST;
    char *path = is_there ? realpath(folder, NULL) : NULL;
    if (!path || stat(path, &status) != 0)
        sheaf_die(STATUS_USAGE, "%s %s: %s", option, folder, strerror(errno));
    if (!S_ISDIR(status.st_mode))
        sheaf_die(STATUS_USAGE, "%s %s: not a directory", option, folder);
    if (access(path, W_OK | X_OK) != 0)
        sheaf_die(STATUS_USAGE, "%s %s: %s", option, folder, strerror(errno));
    return path;
}
