/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Read-modify-write, and mutexes. A mutex is two numbers in the memory of its process: a caller
 * takes the next ticket, and waits until it is served.
 */
#include "internal.h"

#include <pshmem.h>

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define TURNS 32 /* of a waiting caller before it gives its processor way */

/* At there, a symmetric address. */
static inline void read_modify_write(int operation, void *result, char *there, int value, int proc)
{
    if (operation == ARMCI_FETCH_AND_ADD_LONG)
        *(long *)result = shmem_long_atomic_fetch_add((long *)(void *)there, value, proc);
    else if (operation == ARMCI_FETCH_AND_ADD)
        *(int *)result = shmem_int_atomic_fetch_add((int *)(void *)there, value, proc);
    else if (operation == ARMCI_SWAP)
        *(int *)result = shmem_int_atomic_swap((int *)(void *)there, *(int *)result, proc);
    else
        *(long *)result = shmem_long_atomic_swap((long *)(void *)there, *(long *)result, proc);
}

static size_t bytes_of(int operation)
{
    bool is_long = operation == ARMCI_FETCH_AND_ADD_LONG || operation == ARMCI_SWAP_LONG;
    return is_long ? sizeof(long) : sizeof(int);
}

static __attribute__((noinline)) int rmw_slowly(const char *call, int operation, void *result,
                                                void *address, int value, int proc, const void *place)
{
    WAITS_WHERE(sheaf_armci.is_spread, call, place)
    sheaf_armci_check_process(call, proc);
    if (operation < ARMCI_FETCH_AND_ADD || operation > ARMCI_SWAP_LONG)
        sheaf_armci_refuse(call, "op is %d, none of ARMCI_Rmw_e", operation);
    size_t size = bytes_of(operation);
    char *there = sheaf_armci_remote(call, "prem", address, 0, (ptrdiff_t)size, proc);
    if (!there || (uintptr_t)there % size != 0)
        sheaf_armci_refuse(call, "prem %p of process %d: %s", address, proc,
                           there ? "not aligned to its type" : "in no allocation");
    sheaf_armci_before_load(proc);
    sheaf_armci_before_rmw(there, proc);
    read_modify_write(operation, result, there, value, proc);
    return 0;
}

/* A tool that stands in place of OpenSHMEM's call sees all calls. */
static void remember_counter(void *address, const char *there, int proc)
{
    if (shmem_long_atomic_fetch_add != pshmem_long_atomic_fetch_add)
        return;
    char *here = (char *)sheaf_armci_locks_of[proc] + (there - (char *)sheaf_armci_locks);
    sheaf_armci.counter = (struct sheaf_armci_counter){address, proc, (long *)(void *)here};
}

static __attribute__((noinline)) int rmw(const char *call, int operation, void *result, void *address,
                                         int value, int proc, const void *place)
{
    const size_t size = bytes_of(operation);
    char *there = sheaf_armci_quick(address, (int)size, proc);
    bool is_known = operation >= ARMCI_FETCH_AND_ADD && operation <= ARMCI_SWAP_LONG;
    if (!there || !is_known || ((uintptr_t)there & (size - 1)) != 0)
        return rmw_slowly(call, operation, result, address, value, proc, place);
    sheaf_armci_before_load(proc);
    sheaf_armci_before_rmw_quickly(there, proc);
    read_modify_write(operation, result, there, value, proc);
    if (operation == ARMCI_FETCH_AND_ADD_LONG)
        remember_counter(address, there, proc);
    return 0;
}

int PARMCI_Rmw(int operation, void *result, void *address, int value, int proc)
{
    const struct sheaf_armci_counter *counter = &sheaf_armci.counter;
    if (operation == ARMCI_FETCH_AND_ADD_LONG && address == counter->address && proc == counter->pe &&
        !(sheaf_armci_under_way[proc] & STORES)) {
        *(long *)result = __atomic_fetch_add(counter->here, value, __ATOMIC_SEQ_CST);
        return 0;
    }
    return rmw(CALL, operation, result, address, value, proc, PLACE);
}
TWIN(Rmw)

struct mutex {
    uint32_t next_ticket, served;
};

struct armcix_mutex_hdl_s {
    struct sheaf_armci_group *group;
    struct mutex *mutexes; /* symmetric */
    void *address;         /* of the caller's, NULL where it has none */
    int *counts;           /* of each process of the world */
};
static armcix_mutex_hdl_t world_mutexes;

static armcix_mutex_hdl_t create_mutexes(const char *call, int count,
                                         struct sheaf_armci_group *group)
{
    if (count < 0)
        sheaf_armci_refuse(call, "count is %d, which is negative", count);
    armcix_mutex_hdl_t made = malloc(sizeof *made);
    int *counts = calloc((size_t)sheaf_armci.size, sizeof *counts);
    int *by_rank = calloc((size_t)group->size, sizeof *by_rank);
    void **addresses = calloc((size_t)group->size, sizeof *addresses);
    bool failed;
    if (!made || !counts || !by_rank || !addresses)
        sheaf_armci_refuse(call, "no memory for mutexes of %d processes", group->size);
    *made = (struct armcix_mutex_hdl_s){.group = group, .counts = counts};
    shmemx_team_exchange(group->team, &count, sizeof count, by_rank);
    for (int i = 0; i < group->size; i++)
        counts[group->pes[i]] = by_rank[i];
    armci_size_t bytes = (armci_size_t)count * (armci_size_t)sizeof(struct mutex);
    char *mutexes = sheaf_armci_allocate(call, addresses, bytes, group, &failed);
    if (failed)
        sheaf_armci_refuse(call, "no symmetric memory for %d mutexes", count);
    made->mutexes = (struct mutex *)(void *)mutexes;
    made->address = addresses[group->rank];
    if (made->address)
        memset(made->address, 0, (size_t)bytes);
    shmem_team_sync(group->team);
    free(by_rank);
    free(addresses);
    return made;
}

static int destroy_mutexes(armcix_mutex_hdl_t mutexes)
{
    ARMCI_Group group = {.group = mutexes->group};
    ARMCI_Free_group(mutexes->address, &group);
    free(mutexes->counts);
    free(mutexes);
    return 0;
}

static struct mutex *mutex_of(const char *call, armcix_mutex_hdl_t mutexes, int number, int proc)
{
    sheaf_armci_check_process(call, proc);
    if (!mutexes)
        sheaf_armci_refuse(call, "mutex %d of process %d: no mutexes were created", number, proc);
    if (number < 0 || number >= mutexes->counts[proc])
        sheaf_armci_refuse(call, "mutex %d of process %d, which has created %d", number, proc,
                           mutexes->counts[proc]);
    return &mutexes->mutexes[number];
}

static void lock_mutex(struct mutex *mutex, int pe)
{
    uint32_t ticket = shmem_uint32_atomic_fetch_inc(&mutex->next_ticket, pe);
    for (unsigned turn = 0; shmem_uint32_atomic_fetch(&mutex->served, pe) != ticket; turn++)
        if (turn >= TURNS)
            sched_yield();
}

/* What the holder has stored is there before another gets the mutex. */
static void unlock_mutex(struct mutex *mutex, int pe)
{
    sheaf_armci_complete_all();
    shmem_uint32_atomic_inc(&mutex->served, pe);
}

int PARMCI_Create_mutexes(int count)
{
    WAITS
    sheaf_armci_check_up(CALL);
    if (world_mutexes)
        sheaf_armci_refuse(CALL, "there are mutexes already: ARMCI_Destroy_mutexes ends them");
    world_mutexes = create_mutexes(CALL, count, &sheaf_armci.world);
    return 0;
}
TWIN(Create_mutexes)

int PARMCI_Destroy_mutexes(void)
{
    WAITS
    sheaf_armci_check_up(CALL);
    if (!world_mutexes)
        sheaf_armci_refuse(CALL, "no mutexes were created");
    destroy_mutexes(world_mutexes);
    world_mutexes = NULL;
    return 0;
}
TWIN(Destroy_mutexes)

void PARMCI_Lock(int mutex, int proc)
{
    WAITS
    lock_mutex(mutex_of(CALL, world_mutexes, mutex, proc), proc);
}
TWIN(Lock)

void PARMCI_Unlock(int mutex, int proc)
{
    WAITS
    unlock_mutex(mutex_of(CALL, world_mutexes, mutex, proc), proc);
}
TWIN(Unlock)

armcix_mutex_hdl_t ARMCIX_Create_mutexes_hdl(int count, ARMCI_Group *group)
{
    WAITS
    return create_mutexes(CALL, count, sheaf_armci_group(CALL, group, true));
}

int ARMCIX_Destroy_mutexes_hdl(armcix_mutex_hdl_t mutexes)
{
    WAITS
    sheaf_armci_check_up(CALL);
    if (!mutexes)
        sheaf_armci_refuse(CALL, "no mutexes were created");
    return destroy_mutexes(mutexes);
}

void ARMCIX_Lock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc)
{
    WAITS
    lock_mutex(mutex_of(CALL, mutexes, mutex, proc), proc);
}

/* The next ticket is taken only where it is the one that is served. */
int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc)
{
    WAITS
    struct mutex *it = mutex_of(CALL, mutexes, mutex, proc);
    uint32_t served = shmem_uint32_atomic_fetch(&it->served, proc);
    return shmem_uint32_atomic_compare_swap(&it->next_ticket, served, served + 1, proc) != served;
}

void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc)
{
    WAITS
    unlock_mutex(mutex_of(CALL, mutexes, mutex, proc), proc);
}
