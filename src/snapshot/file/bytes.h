/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All bytes of a part of a file, however many calls of the system that takes; and their compression, where
 * libzstd.so.1 is installed: found when it is first needed, by nobody who does not need it.
 */
#ifndef SHEAF_SNAPSHOT_FILE_BYTES_H
#define SHEAF_SNAPSHOT_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0, or -1 and errno: 0 where the file ends before. */
int sheaf_read_bytes(int fd, void *bytes, size_t length, uint64_t place);

/* 0, or -1 and errno. */
int sheaf_write_bytes(int fd, const void *bytes, size_t length, uint64_t place);

bool sheaf_zstd_is_there(void);

/* A frame of at most room bytes; 0 where it would be longer, or something fails. */
size_t sheaf_zstd_pack(void *frame, size_t room, const void *bytes, size_t length, int level);

/* Whether a frame, of which nothing is known, holds so many bytes, which are in bytes then. */
bool sheaf_zstd_unpack(void *bytes, size_t length, const void *frame, size_t stored);

#endif
