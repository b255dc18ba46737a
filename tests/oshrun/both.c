/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI and OpenSHMEM in one program, for test_mpi.py: both ORDER, four letters such as MSSM: which of the
 * two is initialized first, second, finalized first, second. Both are used while they are up, and the
 * one that is left is used after the other's end. "both MSMS kill": the last PE kills itself while the
 * others wait in OpenSHMEM, after MPI has ended.
 */
#include <mpi.h>
#include <shmem.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int wrong;

static void use_mpi(void)
{
    int me, npes, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &npes);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong |= sum != npes * (npes - 1) / 2;
}

static void use_shmem(void)
{
    static long cells[64];
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        shmem_long_p(&cells[me], me + 1, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        wrong |= cells[pe] != pe + 1;
    shmem_barrier_all();
    memset(cells, 0, sizeof cells);
    shmem_barrier_all();
}

static int change_mpi(int up, int *argc, char ***argv)
{
    if (up)
        MPI_Init(argc, argv);
    else
        MPI_Finalize();
    return up;
}

static int change_shmem(int up)
{
    if (up)
        shmem_init();
    else
        shmem_finalize();
    return up;
}

int main(int argc, char **argv)
{
    if (argc < 2 || strlen(argv[1]) != 4)
        return 2;
    const char *order = argv[1];
    int is_mpi = 0, is_shmem = 0, kills = argc > 2 && strcmp(argv[2], "kill") == 0, last = 0;
    for (int step = 0; step < 4; step++) {
        if (order[step] == 'M')
            is_mpi = change_mpi(step < 2, &argc, &argv);
        else
            is_shmem = change_shmem(step < 2);
        if (is_shmem)
            last = shmem_my_pe() == shmem_n_pes() - 1;
        if (is_mpi)
            use_mpi();
        if (is_shmem)
            use_shmem();
        if (kills && step >= 2 && is_shmem) {
            printf("killing\n");
            fflush(stdout);
            if (last)
                kill(getpid(), SIGKILL);
            shmem_barrier_all();
        }
    }
    if (wrong)
        printf("wrong results\n");
    return wrong;
}
