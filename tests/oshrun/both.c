/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI and OpenSHMEM in one program, for test_mpi.py of this folder and of tests/hosts: both ORDER [HOW].
 * Each letter of ORDER begins or ends one of the two in turn: MSSM begins MPI, begins and ends OpenSHMEM,
 * ends MPI. After each step both are used that are up. HOW: an MPI thread level (0 to 3), or what the last PE
 * does once one of the two has ended (kill) or both are up (abort, stop, leave, lose, spawn; shared: all of
 * them).
 */
#include <mpi.h>
#include <shmem.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_mpi, is_shmem, is_last, wrong;

static void use_mpi(void)
{
    int me, npes, sum = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &npes);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    wrong |= sum != npes * (npes - 1) / 2;
    wrong |= is_shmem && (me != shmem_my_pe() || npes != shmem_n_pes());
    is_last = me == npes - 1;
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
    is_last = me == npes - 1;
}

static void change_mpi(int *argc, char ***argv, const char *how)
{
    int given;
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                 MPI_THREAD_MULTIPLE};
    is_mpi = !is_mpi;
    if (!is_mpi)
        MPI_Finalize();
    else if (*how >= '0' && *how <= '3')
        MPI_Init_thread(argc, argv, levels[*how - '0'], &given);
    else
        MPI_Init(argc, argv);
}

static void change_shmem(void)
{
    is_shmem = !is_shmem;
    if (is_shmem)
        shmem_init();
    else
        shmem_finalize();
}

static void die(void)
{
    printf("killing\n");
    fflush(stdout);
    if (is_last)
        kill(getpid(), SIGKILL);
    shmem_barrier_all();
}

/* All of them are on one host. */
static void share(void)
{
    int near, all;
    MPI_Comm here;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    MPI_Comm_size(here, &near);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    wrong |= near != all;
    MPI_Comm_free(&here);
}

/* The others wait for what the last PE does not do. */
static void misbehave(const char *how)
{
    MPI_Comm children;
    if (strcmp(how, "abort") == 0 && is_last)
        MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(how, "stop") == 0 && is_last)
        shmem_global_exit(9);
    if (strcmp(how, "leave") == 0 && is_last)
        _exit(0);
    if (strcmp(how, "lose") == 0 && is_last)
        kill(getpid(), SIGKILL);
    if (strcmp(how, "shared") == 0)
        share();
    if (strcmp(how, "spawn") == 0 && is_last) {
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        int got = MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                                 MPI_ERRCODES_IGNORE);
        printf("spawn: %s\n", got == MPI_SUCCESS ? "done" : "refused");
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *order = argc > 1 ? argv[1] : "", *how = argc > 2 ? argv[2] : "";
    for (int step = 0; order[step]; step++) {
        if (order[step] == 'M')
            change_mpi(&argc, &argv, how);
        else
            change_shmem();
        if (is_mpi)
            use_mpi();
        if (is_shmem)
            use_shmem();
        if (strcmp(how, "kill") == 0 && step >= 2 && is_shmem)
            die();
        if (strchr("als", *how) && *how && is_mpi && (is_shmem || !strchr(order, 'S')))
            misbehave(how);
    }
    if (wrong)
        printf("wrong results\n");
    return wrong;
}
