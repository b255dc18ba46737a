/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which of the library's names the program was linked to, so that a feature costs nothing in programs
 * that do not use it.
 */
#ifndef SHEAF_IMAGE_IMPORTS_H
#define SHEAF_IMAGE_IMPORTS_H

#include <stdbool.h>

/* Whether the program, or a library loaded by now, refers to a name that begins with prefix or with p and
 * prefix. A program that contains this library has no such references: is_linked is the answer then. */
bool sheaf_image_imports(const char *prefix, bool is_linked);

/* Whether the program itself, which may contain this library, refers to another library's name for which
 * is_meant() is true. False where it is linked with no shared library at all. */
bool sheaf_image_program_imports(bool (*is_meant)(const char *name));

#endif
