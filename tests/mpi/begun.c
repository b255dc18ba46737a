/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that uses MPI and never calls MPI_Init: the library has begun it by the end of its own first
 * initialization, and ends it with the process. Argument: start_pes, or init, which finalizes before MPI's last
 * call, or finalize, which calls MPI_Finalize too, or not-begun, where SHEAF_MPI_INIT=off forbids it.
 * REFERS_TO_MPI_INIT: only where SHEAF_MPI_INIT=on asks for it.
 */
#include "check.h"

#include <mpi.h>
#include <string.h>

static long value;

int main(int argc, char **argv)
{
#ifdef REFERS_TO_MPI_INIT
    if (argc > 99)
        MPI_Init(&argc, &argv);
#endif
    const char *how = argc > 1 ? argv[1] : "start_pes";
    int is_begun = 0, is_ended = 1, rank, size, got[64];
    if (strcmp(how, "start_pes") == 0)
        start_pes(0);
    else
        shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    MPI_Initialized(&is_begun);
    if (strcmp(how, "not-begun") == 0) {
        CHECK(!is_begun);
        shmem_finalize();
        return 0;
    }
    CHECK(is_begun);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK(rank == me && size == npes);
    shmem_long_p(&value, 10 + me, (me + 1) % npes);
    shmem_barrier_all();
    CHECK_EQ(value, 10 + (me + npes - 1) % npes);
    if (strcmp(how, "start_pes") != 0)
        shmem_finalize();
    MPI_Allgather(&me, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
    for (int pe = 0; pe < npes; pe++)
        CHECK_EQ(got[pe], pe);
    if (strcmp(how, "finalize") == 0)
        MPI_Finalize();
    MPI_Finalized(&is_ended);
    CHECK_EQ(is_ended, strcmp(how, "finalize") == 0);
    if (strcmp(how, "init") == 0) {
        shmem_init();
        shmem_finalize();
    }
    return 0;
}
