/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that uses MPI and ARMCI: groups have communicators, whichever came first. Arguments:
 * "before" or "after", where MPI_Init stands to ARMCI_Init, and "comm": ARMCI_Init_mpi_comm.
 */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

static int sum_over(ARMCI_Group *group)
{
    int one = 1, sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, group->comm);
    return sum;
}

int main(int argc, char **argv)
{
    const char *order = argc > 1 ? argv[1] : "before";
    if (strcmp(order, "after") != 0)
        MPI_Init(&argc, &argv);
    if (strcmp(order, "comm") == 0) {
        MPI_Comm same;
        MPI_Comm_dup(MPI_COMM_WORLD, &same);
        CHECK(ARMCI_Init_mpi_comm(same) == 0 &&
              ARMCI_Init_thread_comm(MPI_THREAD_SINGLE, same) == 0);
        ARMCI_Finalize();
        MPI_Comm_free(&same);
    } else {
        CHECK(ARMCI_Init_thread(MPI_THREAD_SINGLE) == 0);
    }
    if (strcmp(order, "after") == 0)
        MPI_Init(&argc, &argv);
    int rank, size, group_rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(armci_msg_me() == rank && armci_msg_nproc() == size);
    ARMCI_Group world, half;
    ARMCI_Group_get_world(&world);
    if (strcmp(order, "after") != 0)
        CHECK(sum_over(&world) == size);
    ARMCIX_Group_split(&world, rank % 2, -rank, &half);
    CHECK(sum_over(&half) == (size + 1 - rank % 2) / 2);
    MPI_Comm_rank(half.comm, &rank);
    ARMCI_Group_rank(&half, &group_rank);
    CHECK(rank == group_rank);
    ARMCI_Group_free(&half);
    void **base = malloc((size_t)size * sizeof *base);
    CHECK(ARMCI_Malloc(base, sizeof(int)) == 0);
    rank = armci_msg_me();
    ARMCI_PutValueInt(rank, base[(rank + 1) % size], (rank + 1) % size);
    ARMCI_AllFence();
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(*(int *)base[rank] == (rank + size - 1) % size);
    ARMCI_Free(base[rank]);
    free(base);
    ARMCI_Finalize();
    MPI_Finalize();
    return 0;
}
