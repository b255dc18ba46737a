/* SPDX-License-Identifier: BSD-3-Clause
 * Both libraries in C and in C++: the sum over a team that is MPI's world.
 */
#include <shmemx_mpi.h>

#include <stdio.h>

static long from_before;

int main(int argc, char **argv)
{
    shmem_team_t team;
    MPI_Init(&argc, &argv);
    shmem_init();
    if (shmemx_team_from_mpi(MPI_COMM_WORLD, NULL, 0, &team) != 0)
        return 1;
    int me = shmem_team_my_pe(team), all = shmem_team_n_pes(team), rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    shmem_long_p(&from_before, me + 1, (me + 1) % all);
    shmem_barrier_all();
    if (from_before == (me + all - 1) % all + 1)
        printf("PE %d of %d: rank %d\n", me, all, rank);
    shmem_finalize();
    MPI_Finalize();
    return 0;
}
