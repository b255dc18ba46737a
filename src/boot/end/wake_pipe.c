/* SPDX-License-Identifier: BSD-3-Clause
 * See wake_pipe.h.
 */
#include "boot/end/wake_pipe.h"

#include "base/os/os.h"
#include "base/container.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int own_end = -1; /* for writing */
static int reading_end = -1;

int sheaf_wake_pipe_open(void)
{
    int ends[2];
    if (own_end < 0 && pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
        own_end = sheaf_os_move_up(ends[1]);
        reading_end = sheaf_os_move_up(ends[0]);
    }
    return own_end;
}

int sheaf_wake_pipe_create(struct sheaf_pe *mine)
{
    struct stat file;
    if (sheaf_wake_pipe_open() < 0)
        return -1;
    if (fstat(own_end, &file) == 0) {
        mine->wake_pipe = own_end;
        sheaf_store_release(&mine->wake_pipe_inode, (uint32_t)file.st_ino);
    }
    return reading_end;
}

bool sheaf_wake_pipe_exists(void)
{
    return own_end >= 0;
}

unsigned sheaf_wake_pipe_drain(int fd)
{
    char bytes[64];
    unsigned words = 0;
    ssize_t count;
    while ((count = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t i = 0; i < count; i++)
            words |= (unsigned char)bytes[i];
    return words;
}

/* Where the pipe is full, its reader wakes anyway. */
static bool write_word(int fd, enum sheaf_wake_word word)
{
    char byte = (char)word;
    return write(fd, &byte, 1) == 1 || errno == EAGAIN;
}

void sheaf_wake_pipe_send_own(enum sheaf_wake_word word)
{
    if (own_end >= 0)
        write_word(own_end, word);
}

void sheaf_wake_pipe_wake_own(void)
{
    sheaf_wake_pipe_send_own(SHEAF_WAKE_LOOK);
}

bool sheaf_wake_pipe_send(const struct sheaf_pe *other, enum sheaf_wake_word word)
{
    int32_t pid = sheaf_load_relaxed(&other->pid);
    if (!sheaf_container_is_number(pid))
        return sheaf_wake_pipe_send_to(other, pid, word);
    return sheaf_load_acquire(&other->wake_pipe_inode) != 0 &&
           write_word(sheaf_container_file(pid, SHEAF_CONTAINER_PIPE), word);
}

/* The inode is compared before the pipe is opened: the process may have gone and its number be
 * another's. */
bool sheaf_wake_pipe_send_to(const struct sheaf_pe *other, int32_t pid, enum sheaf_wake_word word)
{
    char path[64];
    struct stat file;
    uint32_t inode = sheaf_load_acquire(&other->wake_pipe_inode);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, other->wake_pipe);
    if (inode == 0 || stat(path, &file) != 0 || !S_ISFIFO(file.st_mode) ||
        (uint32_t)file.st_ino != inode)
        return false;
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool is_sent = write_word(fd, word);
    close(fd);
    return is_sent;
}

void sheaf_wake_pipe_wake(const struct sheaf_pe *other)
{
    sheaf_wake_pipe_send(other, SHEAF_WAKE_LOOK);
}
