/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All bytes of a read or write, however many pieces the system makes of it, and through interruptions.
 */
#ifndef SHEAF_BASE_OS_FILE_IO_H
#define SHEAF_BASE_OS_FILE_IO_H

#include <errno.h>
#include <stddef.h>
#include <unistd.h>

/* Defines name(fd, bytes, length), which returns 0, or -1 after an error or the file's end. */
#define SHEAF_FULLY(name, move, pointer)                            \
    static inline int name(int fd, pointer bytes, size_t length)    \
    {                                                               \
        for (size_t done = 0; done < length;) {                     \
            ssize_t count = move(fd, bytes + done, length - done);  \
            if (count > 0)                                          \
                done += (size_t)count;                              \
            else if (count == 0 || errno != EINTR)                  \
                return -1;                                          \
        }                                                           \
        return 0;                                                   \
    }

SHEAF_FULLY(sheaf_write_fully, write, const void *)
SHEAF_FULLY(sheaf_read_fully, read, void *)

#endif
