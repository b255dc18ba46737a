/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmemx_mpi.h: teams from communicators and back, of any processes in any order, made by these alone; PE
 * numbers and ranks. The first argument is the order in which the two are initialized and finalized: four
 * letters, as in MSSM.
 */
#include "check.h"

#include <shmemx_mpi.h>

#include <string.h>

#define MOST 64

static int me, n;
static uint64_t state = 4; /* the same on all PEs */

/* Both have the same members in the same order, and both work. */
static void check_pair(shmem_team_t team, MPI_Comm comm)
{
    static long mine, sum;
    long expected = 0;
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    CHECK_EQ(shmem_team_my_pe(team), rank);
    CHECK_EQ(shmem_team_n_pes(team), size);
    mine = (me + 1) * 1000 + rank;
    CHECK_EQ(shmem_long_sum_reduce(team, &sum, &mine, 1), 0);
    MPI_Allreduce(&mine, &expected, 1, MPI_LONG, MPI_SUM, comm);
    CHECK_EQ(sum, expected);
    for (int i = 0; i < size; i++) {
        int pe = shmem_team_translate_pe(team, i, SHMEM_TEAM_WORLD);
        CHECK_EQ(shmemx_pe_from_mpi(comm, i), pe);
        CHECK_EQ(shmemx_pe_to_mpi(pe, comm), i);
    }
    shmem_team_sync(team);
}

static void world_is_world(void)
{
    shmem_team_t team;
    MPI_Comm comm;
    CHECK_EQ(shmemx_team_from_mpi(MPI_COMM_WORLD, NULL, 0, &team), 0);
    check_pair(team, MPI_COMM_WORLD);
    for (int pe = 0; pe < n; pe++)
        CHECK_EQ(shmem_team_translate_pe(team, pe, SHMEM_TEAM_WORLD), pe);
    shmem_team_destroy(team);
    CHECK_EQ(shmemx_team_to_mpi(SHMEM_TEAM_WORLD, &comm), 0);
    check_pair(SHMEM_TEAM_WORLD, comm);
    MPI_Comm_free(&comm);
    CHECK_EQ(shmemx_team_to_mpi(SHMEM_TEAM_SHARED, &comm), 0);
    check_pair(SHMEM_TEAM_SHARED, comm);
    MPI_Comm_free(&comm);
}

/* Each process in one of three communicators, in the opposite order; some in none. */
static void a_split_gives_teams(void)
{
    MPI_Comm comm;
    shmem_team_t team;
    int color = me % 4 == 3 ? MPI_UNDEFINED : me % 4;
    MPI_Comm_split(MPI_COMM_WORLD, color, n - me, &comm);
    CHECK_EQ(shmemx_team_from_mpi(comm, NULL, 0, &team), 0);
    CHECK_EQ(team == SHMEM_TEAM_INVALID, color == MPI_UNDEFINED);
    if (team != SHMEM_TEAM_INVALID) {
        check_pair(team, comm);
        MPI_Comm_free(&comm); /* the team stays */
        static long one = 1, count;
        CHECK_EQ(shmem_long_sum_reduce(team, &count, &one, 1), 0);
        CHECK_EQ(count, shmem_team_n_pes(team));
        shmem_team_destroy(team);
    }
    shmem_barrier_all();
}

/* Random lists of PEs, of which nobody else knows: team, communicator of it, team of that. */
static void there_and_back(void)
{
    for (int round = 0; round < 12; round++) {
        int pes[MOST], size = 1 + (int)test_random_below(&state, (uint64_t)n), rank = -1;
        for (int i = 0; i < n; i++)
            pes[i] = i;
        for (int i = 0; i < size; i++) {
            int other = i + (int)test_random_below(&state, (uint64_t)(n - i)), pe = pes[other];
            pes[other] = pes[i];
            pes[i] = pe;
            rank = pe == me ? i : rank;
        }
        if (rank < 0)
            continue;
        shmem_team_t team, again;
        shmem_team_config_t config = {.num_contexts = 3};
        MPI_Comm comm;
        CHECK_EQ(shmemx_team_from_pes(SHMEM_TEAM_WORLD, pes, size, NULL, 0, &team), 0);
        CHECK_EQ(shmemx_team_to_mpi(team, &comm), 0);
        check_pair(team, comm);
        CHECK_EQ(shmemx_team_from_mpi(comm, &config, SHMEM_TEAM_NUM_CONTEXTS, &again), 0);
        config.num_contexts = 0;
        CHECK_EQ(shmem_team_get_config(again, SHMEM_TEAM_NUM_CONTEXTS, &config), 0);
        CHECK_EQ(config.num_contexts, 3);
        shmem_team_destroy(team);
        check_pair(again, comm); /* the communicator stays, too */
        shmem_team_destroy(again);
        MPI_Comm_free(&comm);
    }
    shmem_barrier_all();
}

static void who_is_left_out(void)
{
    shmem_team_t team = SHMEM_TEAM_WORLD;
    MPI_Comm comm = MPI_COMM_WORLD;
    CHECK_EQ(shmemx_team_from_mpi(MPI_COMM_NULL, NULL, 0, &team), 0);
    CHECK(team == SHMEM_TEAM_INVALID);
    CHECK_EQ(shmemx_team_to_mpi(SHMEM_TEAM_INVALID, &comm), 0);
    CHECK(comm == MPI_COMM_NULL);
    CHECK_EQ(shmemx_pe_from_mpi(MPI_COMM_NULL, 0), -1);
    CHECK_EQ(shmemx_pe_to_mpi(0, MPI_COMM_NULL), -1);
    CHECK_EQ(shmemx_pe_from_mpi(MPI_COMM_WORLD, n), -1);
    CHECK_EQ(shmemx_pe_from_mpi(MPI_COMM_WORLD, -1), -1);
    CHECK_EQ(shmemx_pe_to_mpi(n, MPI_COMM_WORLD), -1);
    CHECK_EQ(shmemx_pe_to_mpi(-1, MPI_COMM_WORLD), -1);
    CHECK_EQ(shmemx_pe_to_mpi((me + 1) % n, MPI_COMM_SELF), n == 1 ? 0 : -1);
    CHECK_EQ(shmemx_pe_from_mpi(MPI_COMM_SELF, 0), me);
}

static void change(char library, int up, int *argc, char ***argv)
{
    int provided;
    if (library == 'S' && up)
        shmem_init();
    else if (library == 'S')
        shmem_finalize();
    else if (up)
        MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    else
        MPI_Finalize();
}

int main(int argc, char **argv)
{
    const char *order = argc > 1 ? argv[1] : "MSSM";
    if (strlen(order) != 4)
        return 2;
    change(order[0], 1, &argc, &argv);
    change(order[1], 1, &argc, &argv);
    me = shmem_my_pe();
    n = shmem_n_pes();
    world_is_world();
    a_split_gives_teams();
    there_and_back();
    who_is_left_out();
    change(order[2], 0, &argc, &argv);
    change(order[3], 0, &argc, &argv);
    return 0;
}
