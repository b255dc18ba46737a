/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whether a program may start another, or load libraries as it runs: a script, a shell, an interpreter, a
 * tool such as numactl. No file tells which MPI the programs need that it starts.
 */
#ifndef SHEAF_OSHRUN_WRAPPER_H
#define SHEAF_OSHRUN_WRAPPER_H

#include "oshrun/command/options.h"

/* Whether at least one program is such a wrapper. A program that needs libsheaf.so or an MPI itself is
 * judged by its own libraries. */
bool sheaf_has_wrapper(const struct options *options);

#endif
