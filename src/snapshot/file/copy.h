/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A page is copied and summed in one pass over it: reading it from memory is what takes the time.
 */
#ifndef SHEAF_SNAPSHOT_FILE_COPY_H
#define SHEAF_SNAPSHOT_FILE_COPY_H

#include <stddef.h>
#include <stdint.h>

/* The checksum, sheaf_hash(), of the copy; 0: it is of zeros. Both are aligned, and length is a multiple of
 * 32. What is copied may hold a sanitizer's red zones, and others may write it meanwhile. */
uint64_t sheaf_copy_page(char *to, const char *from, size_t length);

#endif
