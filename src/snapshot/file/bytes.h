/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All bytes of a part of a file, however many calls of the system that takes.
 */
#ifndef SHEAF_SNAPSHOT_FILE_BYTES_H
#define SHEAF_SNAPSHOT_FILE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* 0, or -1 and errno: 0 where the file ends before. */
int sheaf_read_bytes(int fd, void *bytes, size_t length, uint64_t place);

/* 0, or -1 and errno. */
int sheaf_write_bytes(int fd, const void *bytes, size_t length, uint64_t place);

#endif
