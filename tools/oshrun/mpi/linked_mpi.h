/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a program's MPI speaks PMIx, as far as files tell before it has started: the program's own
 * libraries and the libraries of those. An interpreter loads its MPI later, and a script is no ELF file.
 */
#ifndef SHEAF_OSHRUN_LINKED_MPI_H
#define SHEAF_OSHRUN_LINKED_MPI_H

#include "oshrun/command/options.h"

/* The first program that needs Open MPI or libpmix, itself or through a library; NULL where none does. */
const struct program *sheaf_linked_with_pmix(const struct options *options);

#endif
