/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators of groups, for programs that ask ARMCI for one, as Global Arrays does. The library
 * knows no MPI: its functions are looked for in the process. Open MPI's handles are pointers,
 * MPICH's are 32-bit numbers, and both are passed as one word here.
 */
#include "internal.h"

#include <dlfcn.h>
#include <string.h>

#define MPICH_WORLD 0x44000000
#define ABI_WORLD   0x101 /* of MPI 5's standard ABI */
#define SUCCESS     0
#define IDENTICAL   0 /* MPI_IDENT and, in both, */
#define CONGRUENT   1
#define GROUP_TAG   27182

typedef uintptr_t word; /* a communicator or a group */

struct mpi {
    int (*initialized)(int *), (*finalized)(int *);
    int (*comm_group)(word, word *), (*comm_create_group)(word, word, int, word *),
        (*comm_free)(word *);
    int (*group_incl)(word, int, const int *, word *), (*group_free)(word *);
    int (*comm_compare)(word, word, int *);
};

static void *look_up(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* Whether the process has an MPI that may be called. */
static bool find_mpi(struct mpi *mpi)
{
    *(void **)&mpi->initialized = look_up("MPI_Initialized");
    *(void **)&mpi->finalized = look_up("MPI_Finalized");
    *(void **)&mpi->comm_group = look_up("MPI_Comm_group");
    *(void **)&mpi->comm_create_group = look_up("MPI_Comm_create_group");
    *(void **)&mpi->comm_free = look_up("MPI_Comm_free");
    *(void **)&mpi->group_incl = look_up("MPI_Group_incl");
    *(void **)&mpi->group_free = look_up("MPI_Group_free");
    *(void **)&mpi->comm_compare = look_up("MPI_Comm_compare");
    int begun = 0, ended = 0;
    return mpi->initialized && mpi->finalized && mpi->comm_group && mpi->comm_create_group &&
           mpi->comm_free && mpi->group_incl && mpi->group_free && mpi->comm_compare &&
           mpi->initialized(&begun) == SUCCESS && begun && mpi->finalized(&ended) == SUCCESS &&
           !ended;
}

static word world_communicator(void)
{
    void *open_mpi = look_up("ompi_mpi_comm_world");
    if (open_mpi)
        return (word)open_mpi;
    Dl_info library;
    void *function = look_up("MPI_Initialized");
    bool is_standard =
        dladdr(function, &library) && library.dli_fname && strstr(library.dli_fname, "libmpi_abi");
    return is_standard ? ABI_WORLD : MPICH_WORLD;
}

/* A communicator is made by its members alone, as a team is. */
void sheaf_armci_mpi_make(const struct sheaf_armci_group *group, armci_comm_t *comm)
{
    struct mpi mpi;
    word everybody = 0, members = 0, made = 0, world = world_communicator();
    if (!find_mpi(&mpi))
        return;
    if (mpi.comm_group(world, &everybody) != SUCCESS ||
        mpi.group_incl(everybody, group->size, group->pes, &members) != SUCCESS ||
        mpi.comm_create_group(world, members, GROUP_TAG, &made) != SUCCESS)
        sheaf_armci_refuse("ARMCI_Group_create", "MPI makes no communicator of %d processes",
                           group->size);
    mpi.group_free(&members);
    mpi.group_free(&everybody);
    memcpy(comm, &made, sizeof made);
}

void sheaf_armci_mpi_free(armci_comm_t *comm)
{
    struct mpi mpi;
    word made;
    memcpy(&made, comm, sizeof made);
    if (made && find_mpi(&mpi))
        mpi.comm_free(&made);
    memset(comm, 0, sizeof made);
}

void sheaf_armci_mpi_check_world(const char *call, armci_comm_t comm)
{
    struct mpi mpi;
    int how = CONGRUENT + 1;
    if (!find_mpi(&mpi))
        sheaf_armci_refuse(call, "comm: MPI is not initialized");
    if (mpi.comm_compare((word)comm, world_communicator(), &how) != SUCCESS || how > CONGRUENT)
        sheaf_armci_refuse(call, "comm is not of all processes, in the order of MPI_COMM_WORLD");
}
