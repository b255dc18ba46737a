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
    if (!result)
        sheaf_armci_refuse(call, "ploc is a null pointer");
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
    if (!result || !there || !is_known || ((uintptr_t)there & (size - 1)) != 0)
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
    size_t *before;        /* by process of the world: mutexes of those before it; and of all */
    bool *is_held;         /* by this process: all mutexes, in that order */
};
static armcix_mutex_hdl_t world_mutexes;

static armcix_mutex_hdl_t create_mutexes(const char *call, int count,
                                         struct sheaf_armci_group *group)
{
    if (count < 0)
        sheaf_armci_refuse(call, "count is %d, which is negative", count);
    armcix_mutex_hdl_t made = malloc(sizeof *made);
    size_t *before = calloc((size_t)sheaf_armci.size + 1, sizeof *before);
    int *by_rank = calloc((size_t)group->size, sizeof *by_rank);
    void **addresses = calloc((size_t)group->size, sizeof *addresses);
    bool failed;
    if (!made || !before || !by_rank || !addresses)
        sheaf_armci_refuse(call, "no memory for mutexes of %d processes", group->size);
    *made = (struct armcix_mutex_hdl_s){.group = group, .before = before};
    shmemx_team_exchange(group->team, &count, sizeof count, by_rank);
    for (int i = 0; i < group->size; i++)
        before[group->pes[i] + 1] = (size_t)by_rank[i];
    for (int pe = 0; pe < sheaf_armci.size; pe++)
        before[pe + 1] += before[pe];
    made->is_held = calloc(before[sheaf_armci.size] + 1, sizeof *made->is_held);
    armci_size_t bytes = (armci_size_t)count * (armci_size_t)sizeof(struct mutex);
    char *mutexes = sheaf_armci_allocate(call, addresses, bytes, group, &failed);
    if (failed || !made->is_held)
        sheaf_armci_refuse(call, "no memory for %d mutexes", count);
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
    free(mutexes->before);
    free(mutexes->is_held);
    free(mutexes);
    return 0;
}

/* A mutex that a call names, checked. */
struct named_mutex {
    struct mutex *here; /* symmetric */
    bool *is_held;
};

static struct named_mutex mutex_of(const char *call, armcix_mutex_hdl_t mutexes, int number, int proc)
{
    sheaf_armci_check_process(call, proc);
    if (!mutexes)
        sheaf_armci_refuse(call, "mutex %d of process %d: no mutexes were created", number, proc);
    size_t first = mutexes->before[proc], count = mutexes->before[proc + 1] - first;
    if (number < 0 || (size_t)number >= count)
        sheaf_armci_refuse(call, "mutex %d of process %d, which has created %zu", number, proc, count);
    return (struct named_mutex){&mutexes->mutexes[number], &mutexes->is_held[first + (size_t)number]};
}

/* Threads wait for each other; one thread would wait for itself for ever. */
static void lock_mutex(const char *call, armcix_mutex_hdl_t mutexes, int number, int proc)
{
    struct named_mutex mutex = mutex_of(call, mutexes, number, proc);
    if (*mutex.is_held && !sheaf_armci.is_threaded)
        sheaf_armci_refuse(call, "mutex %d of process %d, which this process has locked already", number,
                           proc);
    uint32_t ticket = shmem_uint32_atomic_fetch_inc(&mutex.here->next_ticket, proc);
    for (unsigned turn = 0; shmem_uint32_atomic_fetch(&mutex.here->served, proc) != ticket; turn++)
        if (turn >= TURNS)
            sched_yield();
    __atomic_store_n(mutex.is_held, true, __ATOMIC_RELAXED);
}

/* What the holder has stored is there before another gets the mutex. */
static void unlock_mutex(const char *call, armcix_mutex_hdl_t mutexes, int number, int proc)
{
    struct named_mutex mutex = mutex_of(call, mutexes, number, proc);
    if (!__atomic_exchange_n(mutex.is_held, false, __ATOMIC_RELAXED))
        sheaf_armci_refuse(call, "mutex %d of process %d, which this process has not locked", number, proc);
    sheaf_armci_complete_all();
    shmem_uint32_atomic_inc(&mutex.here->served, proc);
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
    lock_mutex(CALL, world_mutexes, mutex, proc);
}
TWIN(Lock)

void PARMCI_Unlock(int mutex, int proc)
{
    WAITS
    unlock_mutex(CALL, world_mutexes, mutex, proc);
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
    lock_mutex(CALL, mutexes, mutex, proc);
}

/* The next ticket is taken only where it is the one that is served. */
int ARMCIX_Trylock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc)
{
    WAITS
    struct named_mutex it = mutex_of(CALL, mutexes, mutex, proc);
    uint32_t served = shmem_uint32_atomic_fetch(&it.here->served, proc);
    if (shmem_uint32_atomic_compare_swap(&it.here->next_ticket, served, served + 1, proc) != served)
        return 1;
    __atomic_store_n(it.is_held, true, __ATOMIC_RELAXED);
    return 0;
}

void ARMCIX_Unlock_hdl(armcix_mutex_hdl_t mutexes, int mutex, int proc)
{
    WAITS
    unlock_mutex(CALL, mutexes, mutex, proc);
}
