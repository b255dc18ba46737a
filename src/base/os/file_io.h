/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All bytes of a read or write, however many pieces the system makes of it, and through interruptions.
 */
#ifndef SHEAF_BASE_OS_FILE_IO_H
#define SHEAF_BASE_OS_FILE_IO_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

/* Both return 0, or -1 after an error or the file's end. */
static inline int sheaf_write_fully(int fd, const void *bytes, size_t length)
{
    for (const char *at = bytes; length > 0;) {
        ssize_t count = write(fd, at, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return -1;
        at += count;
        length -= (size_t)count;
    }
    return 0;
}

static inline int sheaf_read_fully(int fd, void *bytes, size_t length)
{
    for (char *at = bytes; length > 0;) {
        ssize_t count = read(fd, at, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return -1;
        at += count;
        length -= (size_t)count;
    }
    return 0;
}

#endif
