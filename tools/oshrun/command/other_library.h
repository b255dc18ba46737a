/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --as: programs that were linked with another OpenSHMEM library. A library of Sheaf with that library's
 * name (addons/binaries) is loaded before their own.
 */
#ifndef SHEAF_OSHRUN_OTHER_LIBRARY_H
#define SHEAF_OSHRUN_OTHER_LIBRARY_H

#include "oshrun/command/options.h"

/* The library that --as names; ends oshrun where there is none of that name. */
const struct other_library *sheaf_other_library_named(const char *option, const char *name);

/* Makes each program's PEs load it; without --as warns of programs that need another library of
 * OpenSHMEM. Prints the reason and ends oshrun where this Sheaf has no such
 * library, or where a program was not linked with it. Called after sheaf_program_find(). */
void sheaf_other_library_use(struct options *options);

#endif
