/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Libraries loaded when they are needed. A statically linked program can load none.
 */
#ifndef SHEAF_BASE_OS_LIBRARY_H
#define SHEAF_BASE_OS_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

/* NULL, and in *why a phrase, when there is no such library here. */
void *sheaf_library_open(const char *name, const char **why);

/* The same, and what is loaded later finds its symbols; so it does from now on where it was loaded. */
void *sheaf_library_open_for_all(const char *name, const char **why);

/* NULL when the library has no such symbol; library NULL: none that the program was started with. */
void *sheaf_library_symbol(void *library, const char *name);

/* Whether the file that a function comes from is called so: "libm" for libm.so.6. */
bool sheaf_library_is_from(void *function, const char *name);

/* The path of the file that a function comes from; false where nobody can tell. */
bool sheaf_library_path(void *function, char *path, size_t size);

/* The path of a file beside the one that this code is in or, where that is a command, in the folder of
 * libraries of the commands' own tree: to_library, as seen from the commands. False: there is none. */
bool sheaf_library_beside(const char *file, const char *to_library, char *path, size_t size);

/* Calls visit for the path of each file that this process has loaded, until it returns nonzero. */
void sheaf_library_visit(int (*visit)(const char *path, void *argument), void *argument);

#endif
