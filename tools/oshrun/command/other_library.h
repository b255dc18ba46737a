/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --as: programs that were linked with another OpenSHMEM library. A library of Sheaf's with that
 * one's name (addons/binaries) is loaded before them.
 */
#ifndef SHEAF_OSHRUN_OTHER_LIBRARY_H
#define SHEAF_OSHRUN_OTHER_LIBRARY_H

#include "oshrun/command/options.h"

/* The library's name as --as has it; ends oshrun where there is none of that name. */
const struct other_library *sheaf_other_library_named(const char *option, const char *name);

/* Has it loaded by each program's PEs. Prints the reason and ends oshrun where this Sheaf has no
 * such library, and where a program is none of that library's. After sheaf_program_find(). */
void sheaf_other_library_use(struct options *options);

#endif
