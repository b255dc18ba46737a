/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The MPI of this process while Sheaf uses it. A process may initialize MPI once, and finalize it once,
 * and the program may do both too: where Sheaf has initialized MPI the program's MPI_Init succeeds and
 * does nothing; where the program finalizes MPI that Sheaf has used, that happens when the process
 * ends.
 */
#ifndef SHEAF_BASE_MPI_USE_H
#define SHEAF_BASE_MPI_USE_H

#include "base/mpi/family.h"

/* Loads and initializes it, where that is still to be done; it stays up until the end of the use. At
 * least so many threads of this process call it. Returns NULL and one line. */
const struct sheaf_mpi_shim *sheaf_mpi_use(enum sheaf_mpi_level needed, char *why, size_t size);

/* The end of a use. */
void sheaf_mpi_release(void);

/* The process ends, in order: MPI that Sheaf has initialized, or the program has finalized, is
 * finalized where nobody uses it. may_leave: an MPI that may hang there is left as it is: the PEs are on
 * several hosts, all messages have arrived, and the launcher hears of the end from Sheaf. */
void sheaf_mpi_end(bool may_leave);

/* "MPI_THREAD_SINGLE" */
const char *sheaf_mpi_level_name(enum sheaf_mpi_level level);

#endif
