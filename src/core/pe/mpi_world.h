/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The world of the MPI in this process, if there is one. It must have the same processes as this job: an
 * MPI that does not know the launcher makes each PE a job of its own, without a message. Sheaf is not
 * linked with MPI; it looks MPI's functions up in the libraries that the process has loaded.
 */
#ifndef SHEAF_CORE_PE_MPI_WORLD_H
#define SHEAF_CORE_PE_MPI_WORLD_H

/* At initialization, once the PE knows its number: looks for MPI, and compares where it is initialized.
 * Where it is not yet, the program's MPI_Finalize will compare. Returns 0, or prints how the two differ
 * and returns -1. */
int sheaf_mpi_world_init(void);

/* In a collective call, since MPI may have been initialized meanwhile. Ends the PE where the two
 * differ. It costs a test where there is no MPI or it has been compared. */
void sheaf_mpi_world_compare(void);

/* At finalization: the same, also for an MPI that the program has loaded meanwhile. */
void sheaf_mpi_world_fini(void);

#endif
