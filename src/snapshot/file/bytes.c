/* SPDX-License-Identifier: BSD-3-Clause
 * See bytes.h.
 */
#include "snapshot/file/bytes.h"

#include "base/os/library.h"

#include <errno.h>
#include <unistd.h>

int sheaf_read_bytes(int fd, void *bytes, size_t length, uint64_t offset)
{
    char *to = bytes;
    while (length > 0) {
        ssize_t done = pread(fd, to, length, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            errno = done ? errno : 0;
            return -1;
        }
        to += done;
        offset += (uint64_t)done;
        length -= (size_t)done;
    }
    return 0;
}

int sheaf_write_bytes(int fd, const void *bytes, size_t length, uint64_t offset)
{
    const char *from = bytes;
    while (length > 0) {
        ssize_t done = pwrite(fd, from, length, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return -1;
        from += done;
        offset += (uint64_t)done;
        length -= (size_t)done;
    }
    return 0;
}

typedef size_t pack(void *frame, size_t room, const void *bytes, size_t length, int level);
typedef size_t unpack(void *bytes, size_t room, const void *frame, size_t length);
typedef unsigned is_error(size_t result);

static struct {
    bool is_looked_for;
    pack *pack;
    unpack *unpack;
    is_error *is_error;
} zstd;

bool sheaf_zstd_is_there(void)
{
    if (!zstd.is_looked_for) {
        const char *why;
        void *library = sheaf_library_open("libzstd.so.1", &why);
        zstd.is_looked_for = true;
        zstd.pack = library ? (pack *)sheaf_library_symbol(library, "ZSTD_compress") : NULL;
        zstd.unpack = library ? (unpack *)sheaf_library_symbol(library, "ZSTD_decompress") : NULL;
        zstd.is_error = library ? (is_error *)sheaf_library_symbol(library, "ZSTD_isError") : NULL;
    }
    return zstd.pack && zstd.unpack && zstd.is_error;
}

size_t sheaf_zstd_pack(void *frame, size_t room, const void *bytes, size_t length, int level)
{
    size_t result = sheaf_zstd_is_there() ? zstd.pack(frame, room, bytes, length, level) : 0;
    return result && !zstd.is_error(result) ? result : 0;
}

bool sheaf_zstd_unpack(void *bytes, size_t length, const void *frame, size_t stored)
{
    return sheaf_zstd_is_there() && zstd.unpack(bytes, length, frame, stored) == length;
}
