/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of shmemx_mpi.h that cannot succeed, one per argument, for test_mistakes.py: each must return
 * nonzero on all processes, with the outputs of a failure, and the job must be able to go on.
 */
#include "check.h"

#include <shmemx_mpi.h>

#include <stdbool.h>
#include <string.h>

static void refuse_team(MPI_Comm comm)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    CHECK(shmemx_team_from_mpi(comm, NULL, 0, &team) != 0);
    CHECK(team == SHMEM_TEAM_INVALID);
}

static void refuse_comm(shmem_team_t team)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    CHECK(shmemx_team_to_mpi(team, &comm) != 0);
    CHECK(comm == MPI_COMM_NULL);
}

static void refuse_numbers(void)
{
    CHECK_EQ(shmemx_pe_from_mpi(MPI_COMM_WORLD, 0), -1);
    CHECK_EQ(shmemx_pe_to_mpi(0, MPI_COMM_WORLD), -1);
}

static void without_mpi(void)
{
    refuse_team(MPI_COMM_WORLD);
    refuse_comm(SHMEM_TEAM_WORLD);
    refuse_numbers();
}

static void between_communicators(void)
{
    MPI_Comm half, both;
    int me = shmem_my_pe(), odd = me % 2;
    MPI_Comm_split(MPI_COMM_WORLD, odd, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, !odd, 0, &both);
    refuse_team(both);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* Two processes more, which have a job and an MPI_COMM_WORLD of their own. */
static void spawned(char *program)
{
    static char word[] = "child";
    char *arguments[] = {word, NULL};
    MPI_Comm children, all;
    MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    MPI_Intercomm_merge(children, 0, &all);
    refuse_team(all);
    MPI_Barrier(all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&children);
}

static void child(void)
{
    MPI_Comm parents, all;
    shmem_team_t team;
    MPI_Comm_get_parent(&parents);
    MPI_Intercomm_merge(parents, 1, &all);
    refuse_team(all);
    CHECK_EQ(shmemx_team_from_mpi(MPI_COMM_WORLD, NULL, 0, &team), 0);
    shmem_team_destroy(team);
    MPI_Barrier(all);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&parents);
}

static bool is(char **argv, const char *word)
{
    return argv[1] && strcmp(argv[1], word) == 0;
}

int main(int argc, char **argv)
{
    if (is(argv, "no-shmem")) {
        MPI_Init(&argc, &argv);
        refuse_team(MPI_COMM_WORLD);
        refuse_comm(SHMEM_TEAM_WORLD);
        refuse_numbers();
    }
    shmem_init();
    if (is(argv, "before"))
        without_mpi();
    if (!is(argv, "no-shmem"))
        MPI_Init(&argc, &argv);
    if (is(argv, "inter"))
        between_communicators();
    if (is(argv, "sizes"))
        without_mpi();
    if (is(argv, "spawn"))
        spawned(argv[0]);
    if (is(argv, "child"))
        child();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    if (is(argv, "after"))
        without_mpi();
    shmem_barrier_all();
    printf("went on\n");
    shmem_finalize();
    return 0;
}
