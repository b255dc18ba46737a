/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Libraries loaded when they are needed. A statically linked program can load none.
 */
#ifndef SHEAF_BASE_OS_LIBRARY_H
#define SHEAF_BASE_OS_LIBRARY_H

#include <stdbool.h>

/* NULL, and in *why a phrase, when there is no such library here. */
void *sheaf_library_open(const char *name, const char **why);

/* NULL when the library has no such symbol; library NULL: none that the program was started with. */
void *sheaf_library_symbol(void *library, const char *name);

/* Whether the file that a function comes from is called so: "libm" for libm.so.6. */
bool sheaf_library_is_from(void *function, const char *name);

#endif
