/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An MPI program that any launcher of MPI has started, also one that Sheaf cannot talk to: MPI carries the identifier
 * of an OpenSHMEM job to all processes. Each PE has the number of its rank.
 */
#include <mpi.h>
#include <shmemx.h>
#include <stdio.h>

static int from = -1;

int main(int argc, char **argv)
{
    int rank, size;
    shmemx_uniqueid_t id;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0 && shmemx_get_uniqueid(&id) != 0) /* it listens from here on */
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (shmemx_init_uid(rank, size, &id) != 0)      /* in place of shmem_init */
        MPI_Abort(MPI_COMM_WORLD, 1);

    shmem_int_p(&from, rank, (rank + 1) % size);
    shmem_barrier_all();
    printf("PE %d of %d: PE %d wrote here\n", shmem_my_pe(), shmem_n_pes(), from);
    shmem_finalize();
    MPI_Finalize();
}
