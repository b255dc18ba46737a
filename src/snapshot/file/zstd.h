/* SPDX-License-Identifier: BSD-3-Clause
 *
 * zstd, where libzstd.so.1 is installed: found when it is first needed, by nobody who does not need it.
 */
#ifndef SHEAF_SNAPSHOT_FILE_ZSTD_H
#define SHEAF_SNAPSHOT_FILE_ZSTD_H

#include <stdbool.h>
#include <stddef.h>

bool sheaf_zstd_is_there(void);

/* A frame of at most room bytes; 0 where it would be longer, or something fails. */
size_t sheaf_zstd_pack(void *frame, size_t room, const void *bytes, size_t length, int level);

/* Whether a frame, of which nothing is known, holds so many bytes, which are in bytes then. */
bool sheaf_zstd_unpack(void *bytes, size_t length, const void *frame, size_t stored);

#endif
