/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A folder that nobody else can enter, under a name that nobody can guess, in TMPDIR or /tmp. The process
 * that made it holds a lock on it while it lives: a folder which nobody has locked is left over from a
 * process that was killed, and the next one made removes it.
 */
#ifndef SHEAF_OSHRUN_PRIVATE_FOLDER_H
#define SHEAF_OSHRUN_PRIVATE_FOLDER_H

#include <stddef.h>

/* Makes one, enters its path, and returns the descriptor that holds the lock. -1 with errno. */
int sheaf_private_folder_make(char *path, size_t size);

/* With all that is in it. */
void sheaf_private_folder_remove(const char *path);

#endif
