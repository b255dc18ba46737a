/* SPDX-License-Identifier: BSD-3-Clause
 * See space.h.
 */
#include "core/memory/space.h"

#include "base/log.h"
#include "image/image.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>

struct sheaf_space sheaf_spaces[SHEAF_MOST_SPACES];
unsigned sheaf_space_count;
struct sheaf_freed_list sheaf_space_freed;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void sheaf_space_lock(void)
{
    pthread_mutex_lock(&lock);
}

bool sheaf_space_try_lock(void)
{
    for (int tries = 0; pthread_mutex_trylock(&lock) != 0; tries++) {
        if (tries == 1000)
            return false;
        sched_yield();
    }
    return true;
}

void sheaf_space_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* The length is written last at creation, and first at destruction. */
static bool space_holds(const struct sheaf_space *space, uintptr_t address, size_t bytes)
{
    struct sheaf_segment segment = {.length = sheaf_load_acquire(&space->segment.length)};
    segment.start = sheaf_load_relaxed(&space->segment.start);
    return sheaf_segment_holds(&segment, address, bytes);
}

struct sheaf_space *sheaf_space_find(const void *local, size_t bytes)
{
    unsigned count = sheaf_load_acquire(&sheaf_space_count);
    for (unsigned i = 0; i < count; i++)
        if (space_holds(&sheaf_spaces[i], (uintptr_t)local, bytes))
            return &sheaf_spaces[i];
    return NULL;
}

bool sheaf_space_holds(uintptr_t address, uint64_t bytes)
{
    return sheaf_segment_holds(&sheaf_image.team, address, bytes) ||
           sheaf_space_find((const void *)address, bytes) != NULL;
}

int sheaf_space_member_rank(const struct sheaf_space_members *members, int pe)
{
    int distance = pe - members->start;
    for (int rank = 0; members->table && rank < members->size; rank++)
        if (members->table[rank] == pe)
            return rank;
    if (members->table || (members->size == 1 && distance != 0))
        return -1;
    if (members->size == 1)
        return 0;
    int rank = distance / members->stride;
    return distance % members->stride == 0 && rank >= 0 && rank < members->size ? rank : -1;
}

uint64_t sheaf_space_address(int pe, const void *local)
{
    const struct sheaf_space *space = sheaf_space_of(local);
    int rank = space ? sheaf_space_rank_of(space, pe) : -1;
    if (rank < 0)
        return (uintptr_t)local;
    return space->addresses[rank] + (uint64_t)((const char *)local - space->segment.start);
}

unsigned sheaf_space_index(const void *local)
{
    return (unsigned)(sheaf_space_find(local, 1) - sheaf_spaces);
}

void *sheaf_space_local(int pe, uint64_t address)
{
    unsigned count = sheaf_load_acquire(&sheaf_space_count);
    for (unsigned i = 0; i < count; i++) {
        const struct sheaf_space *space = &sheaf_spaces[i];
        uint64_t length = sheaf_load_acquire(&space->segment.length);
        int rank = length ? sheaf_space_rank_of(space, pe) : -1;
        if (rank >= 0 && address - space->addresses[rank] < length)
            return space->segment.start + (address - space->addresses[rank]);
    }
    return NULL;
}

bool sheaf_space_is_nonmember(const void *local, int pe, char *text, size_t size)
{
    const struct sheaf_space *space = sheaf_space_find(local, 1);
    if (!space || sheaf_space_rank_of(space, pe) >= 0)
        return false;
    snprintf(text, size, "PE %d has no copy of %p: that lies in a memory space of %d PEs, and PE %d is "
             "none of them", pe, local, space->members.size, pe);
    return true;
}

void sheaf_space_require_member_now(const void *local, int pe, const char *call)
{
    char text[200];
    if (sheaf_space_is_nonmember(local, pe, text, sizeof text))
        sheaf_fatal("SH124 %s: %s", call, text);
}

bool sheaf_space_try_find_block(const void *address, void **start, size_t *size)
{
    struct sheaf_space *space = sheaf_space_of(address);
    size_t first;
    if (!space || !sheaf_space_try_lock())
        return false;
    size_t offset = (size_t)((const char *)address - space->segment.start);
    bool found = sheaf_guarded_find(&space->blocks, offset, &first, size);
    sheaf_space_unlock();
    if (found)
        *start = space->segment.start + first;
    return found;
}

bool sheaf_space_look_around(const struct sheaf_space *space, const void *address,
                             struct sheaf_around *around)
{
    if (!sheaf_space_try_lock())
        return false;
    bool is_up = space->blocks.heap != NULL;
    if (is_up)
        sheaf_guarded_look_around(&space->blocks, (size_t)((const char *)address - space->segment.start),
                                  around);
    sheaf_space_unlock();
    return is_up;
}

bool sheaf_space_find_damage(bool all, struct sheaf_guard_damage *damage)
{
    bool found = false;
    if (sheaf_load_acquire(&sheaf_space_count) == 0)
        return false;
    sheaf_space_lock();
    for (unsigned i = 0; !found && i < sheaf_space_count; i++)
        found = sheaf_guarded_find_damage(&sheaf_spaces[i].blocks, all, damage);
    sheaf_space_unlock();
    return found;
}
