/* SPDX-License-Identifier: BSD-3-Clause
 * See parent_death.h.
 *
 * oshrun holds the one writing end of a pipe. The PE opens a reading end of its own through /proc, as
 * it may open the job's file, and has the kernel answer the writer's end with SIGKILL.
 */
#include "boot/end/parent_death.h"

#include "base/container.h"
#include "base/os/os.h"
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* The inode is compared before anything is opened for reading: the number may be another process's. */
static int open_pipe(const struct sheaf_control *control)
{
    char path[64];
    struct stat file;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", control->launcher_pid, control->parent_pipe);
    if (stat(path, &file) != 0)
        return -1;
    if (!S_ISFIFO(file.st_mode) || (uint32_t)file.st_ino != control->parent_pipe_inode) {
        errno = ESTALE;
        return -1;
    }
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return fd < 0 ? -1 : sheaf_os_move_up(fd);
}

/* Whether a process number means here what it means to oshrun. */
static bool sees_launcher(const struct sheaf_control *control)
{
    uint32_t namespace = sheaf_container_namespace(0);
    return namespace != 0 && namespace == control->launcher_namespace;
}

bool sheaf_parent_death_arm(void)
{
    const struct sheaf_control *control = sheaf_image.job;
    int fd = open_pipe(control);
    if (fd < 0)
        return (errno != ENOENT && errno != ESTALE) || !sees_launcher(control);
    struct pollfd writer = {.fd = fd};
    fcntl(fd, F_SETOWN, getpid());
    fcntl(fd, F_SETSIG, SIGKILL);
    fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC);
    return poll(&writer, 1, 0) == 0;
}
