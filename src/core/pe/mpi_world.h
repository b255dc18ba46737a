/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The world of the MPI that is in the same process, where one is. It must be this job: an MPI that does not
 * know the launcher makes each PE a job of its own, and says nothing. Nothing is linked with MPI; its
 * functions are looked up among what the process has loaded.
 */
#ifndef SHEAF_CORE_PE_MPI_WORLD_H
#define SHEAF_CORE_PE_MPI_WORLD_H

/* At initialization, once the PE knows its number: looks for MPI, and where it is initialized compares.
 * Where it is not, the program's MPI_Finalize will. 0; or prints how the two differ and returns -1. */
int sheaf_mpi_world_init(void);

/* In a collective call: MPI may have been initialized since. Ends the PE where the two differ. Costs a test
 * where there is no MPI, or they have been compared. */
void sheaf_mpi_world_compare(void);

/* At finalization: as compare, also for an MPI that the program has loaded since. */
void sheaf_mpi_world_fini(void);

#endif
