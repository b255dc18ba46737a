/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All bytes of a read or write, however many pieces the system makes of it, and through interruptions.
 */
#ifndef SHEAF_BASE_OS_FILE_IO_H
#define SHEAF_BASE_OS_FILE_IO_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

static inline int sheaf_transfer_fully(int fd, void *bytes, size_t length, bool is_write)
{
    for (char *at = bytes, *end = at + length; at < end;) {
        size_t rest = (size_t)(end - at);
        ssize_t count = is_write ? write(fd, at, rest) : read(fd, at, rest);
        if (count > 0)
            at += count;
        else if (count == 0 || errno != EINTR)
            return -1;
    }
    return 0;
}

/* Both return 0, or -1 after an error, or where the file or connection ends before. */
static inline int sheaf_write_fully(int fd, const void *bytes, size_t length)
{
    return sheaf_transfer_fully(fd, (void *)bytes, length, true);
}

static inline int sheaf_read_fully(int fd, void *bytes, size_t length)
{
    return sheaf_transfer_fully(fd, bytes, length, false);
}

#endif
