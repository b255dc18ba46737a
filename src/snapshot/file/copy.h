/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pages are copied and summed in one pass over them: reading them from memory is what takes the time.
 */
#ifndef SHEAF_SNAPSHOT_FILE_COPY_H
#define SHEAF_SNAPSHOT_FILE_COPY_H

#include <stddef.h>
#include <stdint.h>

/* Copies count pages of so many bytes, and of each gives the checksum, sheaf_hash(), of the copy; 0: of
 * zeros. Both are aligned, and page is a multiple of 64. What is copied may hold a sanitizer's red zones,
 * and others may write it meanwhile. */
void sheaf_copy_pages(char *to, const char *from, size_t page, size_t count, uint64_t *hashes);

#endif
