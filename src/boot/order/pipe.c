/* SPDX-License-Identifier: BSD-3-Clause
 * See pipe.h.
 */
#include "boot/order/pipe.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int sheaf_pipe_open(int32_t pid, int fd, uint32_t inode, int flags)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    int pipe = open(path, flags | O_CLOEXEC);
    if (pipe >= 0 && fstat(pipe, &file) == 0 && S_ISFIFO(file.st_mode) && file.st_uid == geteuid() &&
        (uint32_t)file.st_ino == inode)
        return pipe;
    if (pipe >= 0)
        close(pipe);
    return -1;
}
