/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of the library's names the program was linked to: what only some programs use costs the
 * others nothing.
 */
#ifndef SHEAF_IMAGE_IMPORTS_H
#define SHEAF_IMAGE_IMPORTS_H

#include <stdbool.h>

/* Whether the program, or a library loaded by now, refers to a name that begins with prefix, or with p
 * and prefix. A program that holds this library itself has no such references: is_linked then. */
bool sheaf_image_imports(const char *prefix, bool is_linked);

/* Whether the program itself refers to a name of another library that is meant; it may hold this library.
 * Not where it is linked with no shared library at all. */
bool sheaf_image_program_imports(bool (*is_meant)(const char *name));

#endif
