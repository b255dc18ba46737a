/* SPDX-License-Identifier: BSD-3-Clause
 * See bell.h.
 */
#include "boot/end/bell.h"

#include "base/os/os.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static int own = -1; /* writing end */

int sheaf_bell_hang(struct sheaf_pe *mine)
{
    int ends[2];
    struct stat file;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return -1;
    own = sheaf_os_move_up(ends[1]);
    if (fstat(own, &file) == 0) {
        mine->bell = own;
        sheaf_store_release(&mine->bell_inode, (uint32_t)file.st_ino);
    }
    return sheaf_os_move_up(ends[0]);
}

bool sheaf_bell_is_hung(void)
{
    return own >= 0;
}

unsigned sheaf_bell_hush(int fd)
{
    char rings[64];
    unsigned words = 0;
    ssize_t count;
    while ((count = read(fd, rings, sizeof rings)) > 0)
        for (ssize_t i = 0; i < count; i++)
            words |= (unsigned char)rings[i];
    return words;
}

/* A full pipe has rung already. */
static void pull(int fd, enum sheaf_bell_word word)
{
    char ring = (char)word;
    ssize_t ignored = write(fd, &ring, 1);
    (void)ignored;
}

void sheaf_bell_say_own(enum sheaf_bell_word word)
{
    if (own >= 0)
        pull(own, word);
}

void sheaf_bell_ring_own(void)
{
    sheaf_bell_say_own(SHEAF_BELL_LOOK);
}

/* The inode is compared before the pipe is opened: the process may have gone and its number be
 * another's. */
bool sheaf_bell_say(const struct sheaf_pe *other, enum sheaf_bell_word word)
{
    char path[64];
    struct stat file;
    uint32_t inode = sheaf_load_acquire(&other->bell_inode);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", sheaf_load_relaxed(&other->pid), other->bell);
    if (inode == 0 || stat(path, &file) != 0 || !S_ISFIFO(file.st_mode) ||
        (uint32_t)file.st_ino != inode)
        return false;
    int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    pull(fd, word);
    close(fd);
    return true;
}

void sheaf_bell_ring(const struct sheaf_pe *other)
{
    sheaf_bell_say(other, SHEAF_BELL_LOOK);
}
