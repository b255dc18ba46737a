/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All bytes of a read or write, however many pieces the system makes of it, and through interruptions.
 */
#ifndef SHEAF_BASE_OS_FILE_IO_H
#define SHEAF_BASE_OS_FILE_IO_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

/* Both return 0, or -1 after an error, or where the file or connection ends before. */
static inline int sheaf_write_fully(int fd, const void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = write(fd, (const char *)bytes + done, length - done);
        if (count > 0)
            done += (size_t)count;
        else if (count == 0 || errno != EINTR)
            return -1;
    }
    return 0;
}

static inline int sheaf_read_fully(int fd, void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t count = read(fd, (char *)bytes + done, length - done);
        if (count > 0)
            done += (size_t)count;
        else if (count == 0 || errno != EINTR)
            return -1;
    }
    return 0;
}

#endif
