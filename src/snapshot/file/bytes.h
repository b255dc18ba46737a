/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and writes all bytes of a part of a file, in as many system calls as needed; and compresses them,
 * where libzstd.so.1 is installed. The library is loaded at its first use.
 */
#ifndef SHEAF_SNAPSHOT_FILE_BYTES_H
#define SHEAF_SNAPSHOT_FILE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns 0, or -1 with errno; errno is 0 where the file ends before. */
int sheaf_read_bytes(int fd, void *bytes, size_t length, uint64_t offset);

/* Returns 0, or -1 with errno. */
int sheaf_write_bytes(int fd, const void *bytes, size_t length, uint64_t offset);

bool sheaf_zstd_is_there(void);

/* Makes a frame of at most room bytes. Returns its length, or 0 where it would be longer or on failure. */
size_t sheaf_zstd_pack(void *frame, size_t room, const void *bytes, size_t length, int level);

/* Unpacks an unchecked frame. Returns whether it held exactly length bytes, which are then in bytes. */
bool sheaf_zstd_unpack(void *bytes, size_t length, const void *frame, size_t stored);

#endif
