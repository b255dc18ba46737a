/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups: a team each, and MPI's communicator of the same processes where there is an MPI.
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static ARMCI_Group world_group, default_group;

static void *allocate_private(const char *call, size_t number, size_t size)
{
    void *memory = calloc(number, size);
    if (!memory)
        sheaf_armci_refuse(call, "no memory for a group of %zu", number);
    return memory;
}

void sheaf_armci_groups_init(void)
{
    struct sheaf_armci_group *world = &sheaf_armci.world;
    *world = (struct sheaf_armci_group){
        .team = SHMEM_TEAM_WORLD, .rank = sheaf_armci.me, .size = sheaf_armci.size};
    world->pes = allocate_private("ARMCI_Init", (size_t)world->size, sizeof *world->pes);
    for (int i = 0; i < world->size; i++)
        world->pes[i] = i;
    world_group = (ARMCI_Group){.group = world};
    sheaf_armci_mpi_make(world, &world_group.comm);
    default_group = world_group;
}

/* Teams end with OpenSHMEM. */
void sheaf_armci_groups_fini(void)
{
    sheaf_armci_records_fini();
    free(sheaf_armci.world.pes);
    sheaf_armci.world.pes = NULL;
    if (world_group.comm)
        sheaf_armci_mpi_free(&world_group.comm);
}

static void create_group(const char *call, int size, const int *members, ARMCI_Group *group,
                         const struct sheaf_armci_group *parent)
{
    if (!members)
        sheaf_armci_refuse(call, "the members are a null pointer");
    if (size < 1 || size > parent->size)
        sheaf_armci_refuse(call, "a group of %d processes of the parent's %d", size, parent->size);
    for (int i = 0; i < size; i++)
        if (members[i] < 0 || members[i] >= parent->size)
            sheaf_armci_refuse(call, "member %d is process %d, none of the parent's %d", i,
                               members[i], parent->size);
    struct sheaf_armci_group *added = allocate_private(call, 1, sizeof *added);
    if (shmemx_team_from_pes(parent->team, members, size, NULL, 0, &added->team) != 0)
        sheaf_armci_refuse(
            call,
            "a group of %d processes cannot be made: a process is there twice, or teams are short",
            size);
    bool is_member = added->team != SHMEM_TEAM_INVALID;
    added->rank = is_member ? shmem_team_my_pe(added->team) : -1;
    added->size = is_member ? size : 0;
    added->pes = allocate_private(call, (size_t)size, sizeof *added->pes);
    for (int i = 0; i < size; i++)
        added->pes[i] = parent->pes[members[i]];
    sheaf_armci_record_add(added);
    memset(group, 0, sizeof *group);
    group->group = added;
    if (is_member)
        sheaf_armci_mpi_make(added, &group->comm);
}

void ARMCI_Group_create_child(int size, int *members, ARMCI_Group *group, ARMCI_Group *parent)
{
    WAITS
    create_group(CALL, size, members, group, sheaf_armci_group(CALL, parent, true));
}

void ARMCI_Group_create(int size, int *members, ARMCI_Group *group)
{
    WAITS
    create_group(CALL, size, members, group, sheaf_armci_group(CALL, &default_group, true));
}

void ARMCI_Group_free(ARMCI_Group *group)
{
    WAITS
    struct sheaf_armci_group *record = sheaf_armci_group(CALL, group, false);
    if (record == &sheaf_armci.world)
        sheaf_armci_refuse(CALL, "group %p is the world", (void *)group);
    if (record->rank >= 0) {
        sheaf_armci_memory_forget(record);
        sheaf_armci_mpi_free(&group->comm);
        shmem_team_destroy(record->team);
    }
    sheaf_armci_record_remove(record);
    group->group = NULL;
}

int ARMCI_Group_rank(ARMCI_Group *group, int *rank)
{
    *rank = sheaf_armci_group(CALL, group, false)->rank;
    return *rank < 0;
}

void ARMCI_Group_size(ARMCI_Group *group, int *size)
{
    *size = sheaf_armci_group(CALL, group, false)->size;
}

void ARMCI_Group_set_default(ARMCI_Group *group)
{
    sheaf_armci_group(CALL, group, false);
    default_group = *group;
}

void ARMCI_Group_get_default(ARMCI_Group *group)
{
    sheaf_armci_check_up(CALL);
    *group = default_group;
}

void ARMCI_Group_get_world(ARMCI_Group *group)
{
    sheaf_armci_check_up(CALL);
    *group = world_group;
}

int ARMCI_Absolute_id(ARMCI_Group *group, int rank)
{
    struct sheaf_armci_group *record = sheaf_armci_group(CALL, group, false);
    if (rank < 0 || rank >= record->size)
        sheaf_armci_refuse(CALL, "rank %d is none of the group's %d", rank, record->size);
    return record->pes[rank];
}

struct choice {
    int color, key, rank;
};

static int compare_choices(const void *one, const void *other)
{
    const struct choice *a = one, *b = other;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->rank < b->rank ? -1 : 1;
}

int ARMCIX_Group_split(ARMCI_Group *parent, int color, int key, ARMCI_Group *group)
{
    WAITS
    struct sheaf_armci_group *record = sheaf_armci_group(CALL, parent, true);
    struct choice mine = {color, key, record->rank};
    struct choice *all = allocate_private(CALL, (size_t)record->size, sizeof *all);
    shmemx_team_exchange(record->team, &mine, sizeof mine, all);
    qsort(all, (size_t)record->size, sizeof *all, compare_choices);
    int *members = allocate_private(CALL, (size_t)record->size, sizeof *members), size = 0;
    for (int i = 0; i < record->size; i++)
        if (all[i].color == color)
            members[size++] = all[i].rank;
    create_group(CALL, size, members, group, record);
    free(members);
    free(all);
    return 0;
}

int ARMCIX_Group_dup(ARMCI_Group *parent, ARMCI_Group *group)
{
    WAITS
    return ARMCIX_Group_split(parent, 0, 0, group);
}

int ARMCI_Uses_shm(void)
{
    return 0;
}

int ARMCI_Uses_shm_grp(ARMCI_Group *group)
{
    sheaf_armci_group(CALL, group, false);
    return 0;
}
