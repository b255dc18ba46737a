/* SPDX-License-Identifier: BSD-3-Clause
 * See zstd.h.
 */
#include "snapshot/file/zstd.h"

#include <dlfcn.h>

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
        void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
        zstd.is_looked_for = true;
        zstd.pack = library ? (pack *)dlsym(library, "ZSTD_compress") : NULL;
        zstd.unpack = library ? (unpack *)dlsym(library, "ZSTD_decompress") : NULL;
        zstd.is_error = library ? (is_error *)dlsym(library, "ZSTD_isError") : NULL;
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
