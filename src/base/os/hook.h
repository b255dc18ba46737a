/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of one loaded library that go to a function of ours: the entries for it in that library's table of
 * symbols are changed. Calls of other libraries stay as they are.
 */
#ifndef SHEAF_BASE_OS_HOOK_H
#define SHEAF_BASE_OS_HOOK_H

#include <stdbool.h>
#include <stdint.h>

/* library: a part of its path, "/libuct.so". Returns false where it is not loaded, or calls no such
 * function; then nothing has changed. */
bool sheaf_hook(const char *library, const char *name, void *function);

/* The same in the program and all libraries that are loaded, but for those whose paths are_left says.
 * Returns in how many something has changed. */
int sheaf_hook_everywhere(bool (*is_left)(const char *path), const char *name, void *function);

#endif
