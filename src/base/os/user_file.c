/* SPDX-License-Identifier: BSD-3-Clause
 * See user_file.h.
 */
#include "base/os/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without O_NONBLOCK the opening of a FIFO would wait for its other end. */
static int open_regular(const char *path, const char **why)
{
    struct stat file;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    *why = NULL;
    if (fd < 0 || fstat(fd, &file) != 0)
        *why = strerror(errno);
    else if (!S_ISREG(file.st_mode))
        *why = S_ISDIR(file.st_mode) ? strerror(EISDIR) : "it is not a regular file";
    else if (file.st_size > SHEAF_USER_FILE_MOST)
        *why = "it has more than 1 MiB";
    if (!*why)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

FILE *sheaf_user_file_read(const char *path, const char **why)
{
    int fd = open_regular(path, why);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (fd >= 0 && !file) {
        *why = strerror(errno);
        close(fd);
    }
    return file;
}

int sheaf_user_file_write(const char *path, int flags, const char **why)
{
    struct stat there;
    bool is_there = lstat(path, &there) == 0;
    int fd = -1;
    *why = NULL;
    if (is_there && !S_ISREG(there.st_mode))
        *why = S_ISDIR(there.st_mode) ? strerror(EISDIR) : "it is not a regular file";
    else if (!is_there || unlink(path) == 0)
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags, 0666);
    if (fd < 0 && !*why)
        *why = strerror(errno);
    return fd;
}
