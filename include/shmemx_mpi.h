/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI communicators as OpenSHMEM teams, teams as communicators, PE numbers as ranks: for programs that use
 * both libraries. Everything here is made of calls of the MPI that the program was compiled for and of
 * Sheaf's own, so Sheaf knows no MPI. MPI 3.0 or later, any implementation. See docs/do/mpi.md.
 *
 * Communicator and team have the same processes in the same order: rank i of the one is PE i of the other.
 * Each lives on its own: shmem_team_destroy and MPI_Comm_free leave the other as it is.
 *
 * These calls need both libraries between initialization and end, on all processes that take part. Where that
 * does not hold, or where MPI_COMM_WORLD has another size than the job, they return nonzero on all of them,
 * and one line says which process lacks what. They call MPI from the calling thread, so MPI's thread level
 * applies to them. Errors inside MPI go to the communicator's error handler.
 */
#ifndef SHEAF_SHMEMX_MPI_H
#define SHEAF_SHMEMX_MPI_H

#if defined(SHMEM_MAJOR_VERSION) && !defined(SHEAF_SHMEM_H)
#error "the shmem.h of another OpenSHMEM was included, as Open MPI's folder has one: put Sheaf's folder first, as oshcc --mpi does"
#endif

#include "shmemx.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

/* What a process is in each of the two: -1 where that library is not up. */
struct sheaf_mpi_self {
    int pe, npes;
    int rank, size; /* in MPI_COMM_WORLD */
};

static inline struct sheaf_mpi_self sheaf_mpi_look(void)
{
    struct sheaf_mpi_self self = {-1, -1, -1, -1};
    int is_mpi = 0, is_over = 0, is_shmem = 0;
    MPI_Initialized(&is_mpi);
    MPI_Finalized(&is_over);
    shmem_query_initialized(&is_shmem);
    if (is_mpi && !is_over) {
        MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
        MPI_Comm_size(MPI_COMM_WORLD, &self.size);
    }
    if (is_shmem) {
        self.pe = shmem_my_pe();
        self.npes = shmem_n_pes();
    }
    return self;
}

/* One line; it begins as Sheaf's own do. Returns what the refused call returns. */
static inline int sheaf_mpi_refuse(const char *call, const struct sheaf_mpi_self *self, const char *why)
{
    if (self->pe >= 0)
        fprintf(stderr, "sheaf: PE %d: error: %s: %s\n", self->pe, call, why);
    else
        fprintf(stderr, "sheaf: error: %s: %s\n", call, why);
    return -1;
}

/* Whether both are up here. */
static inline int sheaf_mpi_is_up(const char *call, const struct sheaf_mpi_self *self)
{
    if (self->rank < 0)
        sheaf_mpi_refuse(call, self, "MPI is not initialized, or has been finalized: call it between MPI_Init "
                                     "and MPI_Finalize");
    else if (self->pe < 0)
        sheaf_mpi_refuse(call, self, "OpenSHMEM is not initialized: call it between shmem_init and "
                                     "shmem_finalize");
    return self->rank >= 0 && self->pe >= 0;
}

/* Why these processes, of one communicator or team, cannot have the other; an empty text when they can. All
 * of them come to the same result. */
static inline void sheaf_mpi_judge(const struct sheaf_mpi_self *all, int count, char *why, size_t size)
{
    int i;
    why[0] = '\0';
    for (i = 0; i < count && !why[0]; i++) {
        if (all[i].pe < 0)
            snprintf(why, size, "rank %d of the communicator has not called shmem_init, or has finalized", i);
        else if (all[i].rank < 0)
            snprintf(why, size, "PE %d has not called MPI_Init, or has finalized MPI", all[i].pe);
        else if (all[i].size != all[i].npes)
            snprintf(why, size, "MPI_COMM_WORLD has %d process%s and the job %d PEs: start the program by a "
                     "launcher that serves both, such as this MPI's own", all[i].size,
                     all[i].size == 1 ? "" : "es", all[i].npes);
    }
}

/* Aborts where there is no memory: the other processes would wait for ever. */
static inline void *sheaf_mpi_allocate(const char *call, size_t count, size_t bytes)
{
    void *memory = malloc(count * bytes);
    if (!memory) {
        fprintf(stderr, "sheaf: error: %s: no memory for %lu processes\n", call, (unsigned long)count);
        abort();
    }
    return memory;
}

/* The ranks of comm in MPI_COMM_WORLD, of which a process outside has MPI_UNDEFINED. */
static inline void sheaf_mpi_translate(MPI_Comm comm, int count, int *ranks)
{
    MPI_Group world, group;
    int i, *numbers = (int *)sheaf_mpi_allocate("shmemx_team_from_mpi", (size_t)count, sizeof *numbers);
    for (i = 0; i < count; i++)
        numbers[i] = i;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &group);
    MPI_Group_translate_ranks(group, count, numbers, world, ranks);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    free(numbers);
}

/* The PEs of comm's processes. Returns 0, or -1 on all of them, and rank 0 has said why. */
static inline int sheaf_mpi_read_pes(const char *call, MPI_Comm comm, const struct sheaf_mpi_self *self,
                                     int count, int *pes)
{
    struct sheaf_mpi_self mine = *self;
    struct sheaf_mpi_self *all = (struct sheaf_mpi_self *)sheaf_mpi_allocate(call, (size_t)count, sizeof *all);
    char why[200];
    int i, rank;
    MPI_Allgather(&mine, 4, MPI_INT, all, 4, MPI_INT, comm);
    sheaf_mpi_judge(all, count, why, sizeof why);
    sheaf_mpi_translate(comm, count, pes);
    for (i = 0; i < count; i++) {
        if (!why[0] && pes[i] == MPI_UNDEFINED)
            snprintf(why, sizeof why, "process %d of the communicator is not of the job: it is in another "
                     "MPI_COMM_WORLD", i);
        pes[i] = all[i].pe;
    }
    free(all);
    MPI_Comm_rank(comm, &rank);
    if (why[0] && rank == 0)
        sheaf_mpi_refuse(call, self, why);
    return why[0] ? -1 : 0;
}

/* Makes a team of the processes of comm, an intracommunicator. Collective over comm, and over nobody else.
 * config and config_mask configure the team, as in shmem_team_split_strided. Each process
 * tells its PE number, which may differ from its rank in MPI_COMM_WORLD. Returns 0; 0 and
 * SHMEM_TEAM_INVALID for MPI_COMM_NULL, which MPI_Comm_split gives to processes that it leaves out; on all of
 * comm's processes nonzero and SHMEM_TEAM_INVALID otherwise. */
static inline int shmemx_team_from_mpi(MPI_Comm comm, const shmem_team_config_t *config, long config_mask,
                                       shmem_team_t *new_team)
{
    static const char call[] = "shmemx_team_from_mpi";
    struct sheaf_mpi_self self = sheaf_mpi_look();
    int is_inter, size, result, *pes;
    *new_team = SHMEM_TEAM_INVALID;
    if (self.rank < 0) {
        sheaf_mpi_is_up(call, &self);
        return -1;
    }
    if (comm == MPI_COMM_NULL)
        return 0;
    MPI_Comm_test_inter(comm, &is_inter);
    if (is_inter)
        return sheaf_mpi_refuse(call, &self, "comm is an intercommunicator: merge it first, by "
                                             "MPI_Intercomm_merge");
    MPI_Comm_size(comm, &size);
    pes = (int *)sheaf_mpi_allocate(call, (size_t)size, sizeof *pes);
    result = sheaf_mpi_read_pes(call, comm, &self, size, pes);
    if (result == 0)
        result = shmemx_team_from_pes(SHMEM_TEAM_WORLD, pes, size, config, config_mask, new_team);
    free(pes);
    return result;
}

/* A communicator of these ranks of MPI_COMM_WORLD, made by them alone. */
static inline void sheaf_mpi_create(const struct sheaf_mpi_self *all, int count, MPI_Comm *comm)
{
    int i, *ranks = (int *)sheaf_mpi_allocate("shmemx_team_to_mpi", (size_t)count, sizeof *ranks);
    MPI_Group world, group;
    for (i = 0; i < count; i++)
        ranks[i] = all[i].rank;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, count, ranks, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, comm);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    free(ranks);
}

/* Makes a communicator of the PEs of team, which the program frees by MPI_Comm_free. Collective over team,
 * and over nobody else. Returns 0; 0 and MPI_COMM_NULL for SHMEM_TEAM_INVALID, which a split gives to PEs
 * that it leaves out; on all of the team nonzero and MPI_COMM_NULL otherwise. */
static inline int shmemx_team_to_mpi(shmem_team_t team, MPI_Comm *comm)
{
    static const char call[] = "shmemx_team_to_mpi";
    struct sheaf_mpi_self self = sheaf_mpi_look(), *all;
    char why[200];
    int size;
    *comm = MPI_COMM_NULL;
    if (self.pe < 0) {
        sheaf_mpi_is_up(call, &self);
        return -1;
    }
    if (team == SHMEM_TEAM_INVALID)
        return 0;
    size = shmem_team_n_pes(team);
    all = (struct sheaf_mpi_self *)sheaf_mpi_allocate(call, (size_t)size, sizeof *all);
    shmemx_team_exchange(team, &self, sizeof self, all);
    sheaf_mpi_judge(all, size, why, sizeof why);
    if (!why[0])
        sheaf_mpi_create(all, size, comm);
    else if (shmem_team_my_pe(team) == 0)
        sheaf_mpi_refuse(call, &self, why);
    free(all);
    return *comm == MPI_COMM_NULL ? -1 : 0;
}

/* Whether PE numbers are ranks of MPI_COMM_WORLD here, as all launchers of both have it. */
static inline int sheaf_mpi_is_one_numbering(const char *call)
{
    struct sheaf_mpi_self self = sheaf_mpi_look();
    char why[200];
    if (!sheaf_mpi_is_up(call, &self))
        return 0;
    if (self.pe == self.rank && self.npes == self.size)
        return 1;
    snprintf(why, sizeof why, "this process is PE %d of %d and rank %d of %d: only shmemx_team_from_mpi knows "
             "who is who then", self.pe, self.npes, self.rank, self.size);
    sheaf_mpi_refuse(call, &self, why);
    return 0;
}

/* The PE, by its number in the world, that has this rank in comm's group; -1 when comm has no such rank, or
 * the process is not of this MPI_COMM_WORLD. Not collective: it relies on PE numbers being ranks of MPI_COMM_WORLD, checks that here,
 * and returns -1 with a line where it does not hold. */
static inline int shmemx_pe_from_mpi(MPI_Comm comm, int rank)
{
    MPI_Group world, group;
    int size = 0, pe = MPI_UNDEFINED;
    if (!sheaf_mpi_is_one_numbering("shmemx_pe_from_mpi") || comm == MPI_COMM_NULL)
        return -1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &group);
    MPI_Group_size(group, &size);
    if (rank >= 0 && rank < size)
        MPI_Group_translate_ranks(group, 1, &rank, world, &pe);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return pe == MPI_UNDEFINED ? -1 : pe;
}

/* The rank in comm's group of PE pe of the world; -1 when comm does not have that PE. Otherwise as
 * shmemx_pe_from_mpi. */
static inline int shmemx_pe_to_mpi(int pe, MPI_Comm comm)
{
    MPI_Group world, group;
    int rank = MPI_UNDEFINED;
    if (!sheaf_mpi_is_one_numbering("shmemx_pe_to_mpi") || comm == MPI_COMM_NULL)
        return -1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Comm_group(comm, &group);
    if (pe >= 0 && pe < shmem_n_pes())
        MPI_Group_translate_ranks(world, 1, &pe, group, &rank);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    return rank == MPI_UNDEFINED ? -1 : rank;
}

#endif
