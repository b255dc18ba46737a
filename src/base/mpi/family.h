/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which MPI: the one that the process has loaded; else the one whose launcher started it; else the one
 * that is installed. It is loaded together with Sheaf's small library for it, which shows its calls
 * (shim.h).
 */
#ifndef SHEAF_BASE_MPI_FAMILY_H
#define SHEAF_BASE_MPI_FAMILY_H

#include "base/mpi/shim.h"

/* Loads it, once. NULL, and one line that says why not and what to do. */
const struct sheaf_mpi_shim *sheaf_mpi_load(char *why, size_t size);

/* The one that is loaded; its name and where it comes from: "Open MPI", "/usr/lib/libmpi.so.40", "the
 * process has it loaded". */
struct sheaf_mpi_choice {
    const struct sheaf_mpi_shim *shim; /* NULL before a load that succeeded */
    const char *name, *reason;
    const char *level_variable, *level_value; /* with it MPI_Init gives MPI_THREAD_MULTIPLE */
    bool may_hang; /* across hosts: MPI_Finalize waits for PEs that wait for something else */
    size_t at_once; /* data of up to so many bytes goes as messages of a fragment at most; 0: none does */
    char file[256];
};
extern struct sheaf_mpi_choice sheaf_mpi_choice;

/* Whether a path is that of an MPI's library, or of Sheaf's for one. */
bool sheaf_mpi_is_file(const char *path);

/* When Sheaf is loaded in a process that is to use an MPI for it (SHEAF_ENGINE=mpi, SHEAF_BOOT=mpi): a
 * MPI_Init of the program's shall give the thread level that this needs. What the user has set stays. */
void sheaf_mpi_raise_level(void);

#endif
