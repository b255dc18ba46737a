/* SPDX-License-Identifier: BSD-3-Clause
 * See pipe.h.
 */
#include "boot/order/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* What stands at that place may be anything by now, and to open a device has effects: this descriptor
 * (O_PATH) is good for a look. */
static int hold(int32_t pid, int fd, uint32_t inode)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, fd);
    int held = open(path, O_PATH | O_CLOEXEC);
    if (held >= 0 && fstat(held, &file) == 0 && S_ISFIFO(file.st_mode) && file.st_uid == geteuid() &&
        (uint32_t)file.st_ino == inode)
        return held;
    if (held >= 0) {
        close(held);
        errno = ESTALE;
    }
    return -1;
}

int sheaf_pipe_open(int32_t pid, int fd, uint32_t inode, int flags)
{
    char path[64];
    int held = hold(pid, fd, inode);
    if (held < 0)
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", held);
    int pipe = open(path, flags | O_CLOEXEC), reason = errno;
    close(held);
    errno = reason;
    return pipe;
}
