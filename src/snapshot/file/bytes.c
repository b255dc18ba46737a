/* SPDX-License-Identifier: BSD-3-Clause
 * See bytes.h.
 */
#include "snapshot/file/bytes.h"

#include <errno.h>
#include <unistd.h>

int sheaf_read_bytes(int fd, void *bytes, size_t length, uint64_t place)
{
    char *to = bytes;
    while (length > 0) {
        ssize_t done = pread(fd, to, length, (off_t)place);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            errno = done ? errno : 0;
            return -1;
        }
        to += done;
        place += (uint64_t)done;
        length -= (size_t)done;
    }
    return 0;
}

int sheaf_write_bytes(int fd, const void *bytes, size_t length, uint64_t place)
{
    const char *from = bytes;
    while (length > 0) {
        ssize_t done = pwrite(fd, from, length, (off_t)place);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        from += done;
        place += (uint64_t)done;
        length -= (size_t)done;
    }
    return 0;
}
