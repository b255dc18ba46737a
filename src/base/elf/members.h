/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements and members of the program's variables, by its debugging information: what a byte of a variable
 * is called in the source.
 */
#ifndef SHEAF_BASE_ELF_MEMBERS_H
#define SHEAF_BASE_ELF_MEMBERS_H

#include "base/elf/symbols.h"

#include <stdbool.h>
#include <stddef.h>

/* "grid" and "field[3].x", or "[3]" where the variable is an array, for the byte of symbol at offset. False
 * where the program has no debugging information or this machine no libdw. Loads that library, and
 * allocates: not for a fault handler. */
bool sheaf_members_name(const struct sheaf_symbol *symbol, size_t offset, char *name, size_t name_size,
                        char *path, size_t path_size);

#endif
