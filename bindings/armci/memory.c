/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Allocations, and addresses of other processes. Heaps lie at different addresses: a process's own
 * is the caller's plus a distance, which depends on the process alone and was exchanged at the
 * start. A group's memory lies beside the heap: OpenSHMEM translates its addresses.
 */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64 /* of allocations: a cache line */

struct allocation {
    char *base;
    size_t size; /* of the largest part: every process has as much */
    struct sheaf_armci_group *group;
    long serial; /* among its group's, the same on all members */
};

/* Sorted by base. With threads the lock is held. */
static struct allocation *allocations;
static size_t count, room;
static pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;

static char *anchor; /* whose addresses were exchanged */

static void *allocate_private(const char *call, size_t number, size_t size)
{
    void *memory = calloc(number, size);
    if (!memory)
        sheaf_armci_refuse(call, "no memory for %zu things of %zu bytes", number, size);
    return memory;
}

void sheaf_armci_memory_init(void)
{
    const char *call = "ARMCI_Init";
    anchor = shmem_malloc(ALIGNMENT);
    if (!anchor)
        sheaf_armci_refuse(call, "the symmetric heap is full");
    ptrdiff_t *distances = allocate_private(call, (size_t)sheaf_armci.size, sizeof *distances);
    shmemx_team_exchange(SHMEM_TEAM_WORLD, &anchor, sizeof anchor, distances);
    for (int pe = 0; pe < sheaf_armci.size; pe++)
        distances[pe] -= (ptrdiff_t)anchor;
    sheaf_armci.distances = distances;
}

static void forget_recent(void)
{
    sheaf_armci.recent.size = 0;
    sheaf_armci.counter = (struct sheaf_armci_counter){.pe = -1};
}

void sheaf_armci_memory_fini(void)
{
    for (size_t i = 0; i < count; i++)
        if (allocations[i].group == &sheaf_armci.world)
            shmem_free(allocations[i].base);
    shmem_free(anchor);
    free(allocations);
    free(sheaf_armci.distances);
    allocations = NULL, sheaf_armci.distances = NULL;
    count = room = 0;
    forget_recent();
}

/* The last one that begins at address or before, which may end before it; count where there is
 * none. */
static size_t allocation_before(const char *address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (allocations[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? low - 1 : count;
}

static bool is_within(const struct allocation *allocation, const char *address)
{
    return (uintptr_t)address - (uintptr_t)allocation->base < allocation->size;
}

static bool is_member(const struct sheaf_armci_group *group, int pe)
{
    return group == &sheaf_armci.world ||
           shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, group->team) >= 0;
}

/* Copies out what lies at address, under the lock. */
static bool find_allocation(const char *address, struct allocation *result)
{
    if (sheaf_armci.is_threaded)
        pthread_rwlock_rdlock(&table_lock);
    size_t at = allocation_before(address);
    bool is_there = at < count && is_within(&allocations[at], address);
    if (is_there)
        *result = allocations[at];
    if (sheaf_armci.is_threaded)
        pthread_rwlock_unlock(&table_lock);
    else if (is_there && result->group == &sheaf_armci.world)
        sheaf_armci.recent =
            (struct sheaf_armci_recent){(uintptr_t)result->base + result->size, result->size};
    return is_there;
}

/* The slow half of sheaf_armci_remote: another allocation than the last time, or an error. */
static char *find_remote(const char *call, const char *argument, const void *address, ptrdiff_t low,
                         ptrdiff_t high, int pe)
{
    char *here = (char *)((uintptr_t)address - (uintptr_t)sheaf_armci.distances[pe]);
    struct allocation it;
    bool is_there = find_allocation(here, &it);
    if (!is_there) { /* a group's memory is not in the heap */
        here = shmemx_local_address(address, pe);
        is_there = here && find_allocation(here, &it);
    }
    if (!is_there) {
        if (pe == sheaf_armci.me && address)
            return NULL;
        sheaf_armci_refuse(
            call, "%s %p lies in no allocation of process %d: freed, or not of ARMCI_Malloc",
            argument, address, pe);
    }
    if (!is_member(it.group, pe))
        sheaf_armci_refuse(call,
                           "%s %p lies in an allocation of a group that process %d is no member of",
                           argument, address, pe);
    ptrdiff_t offset = here - it.base;
    if (low < -offset || high > (ptrdiff_t)it.size - offset)
        sheaf_armci_refuse(
            call, "%s %p of process %d: bytes %td to %td from there leave its allocation of %zu",
            argument, address, pe, low, high, it.size);
    return here;
}

char *sheaf_armci_remote(const char *call, const char *argument, const void *address, ptrdiff_t low,
                         ptrdiff_t high, int pe)
{
    uintptr_t here = (uintptr_t)address - (uintptr_t)sheaf_armci.distances[pe];
    size_t room = sheaf_armci.recent.end - here;
    if (room <= sheaf_armci.recent.size && low == 0 && (size_t)high <= room)
        return (char *)here;
    return find_remote(call, argument, address, low, high, pe);
}

static void add_allocation(const char *call, struct allocation added)
{
    pthread_rwlock_wrlock(&table_lock);
    if (count == room) {
        size_t more = room ? 2 * room : 64;
        struct allocation *grown = realloc(allocations, more * sizeof *grown);
        if (!grown)
            sheaf_armci_refuse(call, "no memory to note allocation %zu", count + 1);
        allocations = grown;
        room = more;
    }
    size_t at = allocation_before(added.base);
    at = at == count ? 0 : at + 1;
    memmove(&allocations[at + 1], &allocations[at], (count - at) * sizeof added);
    allocations[at] = added;
    count++;
    pthread_rwlock_unlock(&table_lock);
}

/* Collective over the group. */
static char *take_memory(const struct sheaf_armci_group *group, size_t size)
{
    if (group == &sheaf_armci.world)
        return shmem_align(ALIGNMENT, size);
    return shmemx_team_malloc(group->team, size);
}

/* Where a member has what lies at base here. */
static void *owner_address(const struct allocation *allocation, int pe)
{
    if (allocation->group == &sheaf_armci.world)
        return allocation->base + sheaf_armci.distances[pe];
    return shmemx_owner_address(allocation->base, pe);
}

/* count where there is none, or none any more. */
static size_t find_serial(const struct sheaf_armci_group *group, long serial)
{
    size_t at = 0;
    while (at < count && (allocations[at].group != group || allocations[at].serial != serial))
        at++;
    return at;
}

/* Collective over the allocation's group. */
static void drop_allocation(size_t at)
{
    struct allocation it = allocations[at];
    forget_recent();
    pthread_rwlock_wrlock(&table_lock);
    memmove(&allocations[at], &allocations[at + 1], (count - at - 1) * sizeof *allocations);
    count--;
    pthread_rwlock_unlock(&table_lock);
    if (it.group == &sheaf_armci.world)
        shmem_free(it.base);
    else
        shmemx_team_free(it.group->team, it.base);
}

char *sheaf_armci_allocate(const char *call, void **addresses, armci_size_t bytes,
                           struct sheaf_armci_group *group, bool *failed)
{
    if (bytes < 0)
        sheaf_armci_refuse(call, "bytes is %ld, which is negative", bytes);
    if (!addresses)
        sheaf_armci_refuse(call, "the addresses are a null pointer");
    armci_size_t *sizes = allocate_private(call, (size_t)group->size, sizeof *sizes), most = 0;
    shmemx_team_exchange(group->team, &bytes, sizeof bytes, sizes);
    for (int i = 0; i < group->size; i++)
        most = sizes[i] > most ? sizes[i] : most;
    struct allocation added = {
        .size = (size_t)most, .group = group, .serial = ++group->allocations};
    if (most > 0)
        added.base = take_memory(group, added.size);
    for (int i = 0; i < group->size; i++)
        addresses[i] = added.base && sizes[i] > 0 ? owner_address(&added, group->pes[i]) : NULL;
    free(sizes);
    if (added.base)
        add_allocation(call, added);
    *failed = most > 0 && !added.base;
    return added.base;
}

static int allocate_or_fail(const char *call, void **addresses, armci_size_t bytes,
                            struct sheaf_armci_group *group)
{
    bool failed;
    sheaf_armci_allocate(call, addresses, bytes, group, &failed);
    return failed;
}

/* Every member says which allocation it means; those that have no part in it say none. */
static int free_allocation(const char *call, const char *address, struct sheaf_armci_group *group)
{
    struct allocation it = {.serial = 0};
    if (address && !find_allocation(address, &it))
        sheaf_armci_refuse(call, "address %p lies in no allocation: freed, or not of ARMCI_Malloc",
                           address);
    if (!group)
        group = address ? it.group : &sheaf_armci.world;
    else if (address && group != it.group)
        sheaf_armci_refuse(call, "address %p lies in an allocation of another group", address);
    long *all = allocate_private(call, (size_t)group->size, sizeof *all), meant = 0;
    sheaf_armci_complete_all();
    shmemx_team_exchange(group->team, &it.serial, sizeof it.serial, all);
    for (int i = 0; i < group->size; i++) {
        if (meant && all[i] && all[i] != meant)
            sheaf_armci_refuse(call, "process %d frees another allocation than those before it",
                               group->pes[i]);
        meant = meant ? meant : all[i];
    }
    free(all);
    if (meant)
        drop_allocation(find_serial(group, meant));
    return 0;
}

/* In the order in which they were made, which is the same on all members. */
void sheaf_armci_memory_forget(const struct sheaf_armci_group *group)
{
    for (long serial = 1; serial <= group->allocations; serial++)
        if (find_serial(group, serial) < count)
            drop_allocation(find_serial(group, serial));
}

int ARMCI_Malloc_group(void **addresses, armci_size_t bytes, ARMCI_Group *group)
{
    WAITS
    return allocate_or_fail(CALL, addresses, bytes, sheaf_armci_group(CALL, group, true));
}

int ARMCI_Free_group(void *address, ARMCI_Group *group)
{
    WAITS
    return free_allocation(CALL, address, sheaf_armci_group(CALL, group, true));
}

int PARMCI_Malloc(void **addresses, armci_size_t bytes)
{
    WAITS
    sheaf_armci_check_up(CALL);
    return allocate_or_fail(CALL, addresses, bytes, &sheaf_armci.world);
}
TWIN(Malloc)

int PARMCI_Free(void *address)
{
    WAITS
    sheaf_armci_check_up(CALL);
    return free_allocation(CALL, address, NULL);
}
TWIN(Free)

/* There is one kind of memory. */
int PARMCI_Malloc_memdev(void **addresses, armci_size_t bytes, const char *device)
{
    WAITS
    (void)device;
    sheaf_armci_check_up(CALL);
    return allocate_or_fail(CALL, addresses, bytes, &sheaf_armci.world);
}
TWIN(Malloc_memdev)

int PARMCI_Malloc_group_memdev(void **addresses, armci_size_t bytes, ARMCI_Group *group,
                               const char *device)
{
    WAITS
    (void)device;
    return allocate_or_fail(CALL, addresses, bytes, sheaf_armci_group(CALL, group, true));
}
TWIN(Malloc_group_memdev)

int PARMCI_Free_memdev(void *address)
{
    WAITS
    sheaf_armci_check_up(CALL);
    return free_allocation(CALL, address, NULL);
}
TWIN(Free_memdev)

void *PARMCI_Malloc_local(armci_size_t bytes)
{
    if (bytes < 0)
        sheaf_armci_refuse(CALL, "bytes is %ld, which is negative", bytes);
    void *memory;
    return posix_memalign(&memory, ALIGNMENT, (size_t)bytes) == 0 ? memory : NULL;
}
TWIN(Malloc_local)

int PARMCI_Free_local(void *address)
{
    free(address);
    return 0;
}
TWIN(Free_local)

/* The heap is ordinary memory: what others have stored, and told of, is there. The processor must
 * not have read it before. */
static void check_access(const char *call, const void *address)
{
    struct allocation it;
    sheaf_armci_check_up(call);
    if (!find_allocation(address, &it))
        sheaf_armci_refuse(call, "address %p lies in no allocation of this process", address);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void PARMCI_Access_begin(void *address)
{
    check_access(CALL, address);
}
TWIN(Access_begin)

void PARMCI_Access_end(void *address)
{
    check_access(CALL, address);
}
TWIN(Access_end)

void ARMCI_Set_shm_limit(unsigned long limit)
{
    (void)limit;
}

void ARMCI_Copy(void *source, void *dest, int bytes)
{
    if (bytes < 0)
        sheaf_armci_refuse(CALL, "bytes is %d, which is negative", bytes);
    memmove(dest, source, (size_t)bytes);
}
