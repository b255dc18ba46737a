/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A folder that no other user can enter, with a name that cannot be guessed, in TMPDIR or /tmp. The
 * process that made it holds a lock on it while it lives. An unlocked folder is left over from a process
 * that was killed, and the next process that makes one removes it.
 */
#ifndef SHEAF_OSHRUN_PRIVATE_FOLDER_H
#define SHEAF_OSHRUN_PRIVATE_FOLDER_H

#include <stddef.h>

/* Makes a folder, stores its path, and returns the descriptor that holds the lock; -1 with errno. */
int sheaf_private_folder_make(char *path, size_t size);

/* Removes a folder and its contents. */
void sheaf_private_folder_remove(const char *path);

#endif
