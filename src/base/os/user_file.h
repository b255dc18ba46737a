/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that a user names. A name may lead to a FIFO, a device or a directory: opening never waits,
 * and only a regular file is taken.
 */
#ifndef SHEAF_BASE_OS_USER_FILE_H
#define SHEAF_BASE_OS_USER_FILE_H

#include <stdio.h>

/* More than any settings or list of hosts needs: 1 MiB. */
#define SHEAF_USER_FILE_MOST ((long)1 << 20)

/* Opens a text of at most SHEAF_USER_FILE_MOST bytes. NULL, and in *why the reason in words. */
FILE *sheaf_user_file_read(const char *path, const char **why);

/* Makes a new file, in the place of a regular one of that name: nothing is written through a link, be it
 * symbolic or hard. flags: O_APPEND or 0. Returns a descriptor, or -1 and the reason. */
int sheaf_user_file_write(const char *path, int flags, const char **why);

#endif
