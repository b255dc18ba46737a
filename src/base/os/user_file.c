/* SPDX-License-Identifier: BSD-3-Clause
 * See user_file.h.
 */
#include "base/os/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Without O_NONBLOCK the opening of a FIFO would wait for its other end. */
static int open_regular(const char *path, int flags, off_t most, const char **why)
{
    struct stat file;
    int fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    *why = NULL;
    if (fd < 0 || fstat(fd, &file) != 0)
        *why = strerror(errno);
    else if (!S_ISREG(file.st_mode))
        *why = S_ISDIR(file.st_mode) ? strerror(EISDIR) : "it is not a regular file";
    else if (file.st_size > most)
        *why = "it has more than 1 MiB";
    if (!*why)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

FILE *sheaf_user_file_read(const char *path, const char **why)
{
    int fd = open_regular(path, O_RDONLY, SHEAF_USER_FILE_MOST, why);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
    if (fd >= 0 && !file) {
        *why = strerror(errno);
        close(fd);
    }
    return file;
}

int sheaf_user_file_write(const char *path, int flags, const char **why)
{
    int fd = open_regular(path, O_WRONLY | O_CREAT | flags, INT64_MAX, why);
    if (fd < 0 || ftruncate(fd, 0) == 0)
        return fd;
    *why = strerror(errno);
    close(fd);
    return -1;
}
