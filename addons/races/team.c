/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams and active sets: members find one another by a key of the team.
 */
#include "races/team.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TEAMS 1024

static struct races_team teams[MOST_TEAMS];
static int team_count;
static uint64_t era; /* initializations so far */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static uint64_t hash_members(const struct races_team *team)
{
    uint64_t hash = UINT64_C(0x51ab);
    for (int i = 0; i < team->size; i++)
        hash = mix(hash, (uint64_t)team->members[i] + 1);
    return hash;
}

static bool is_taken(uint64_t list, uint64_t generation)
{
    for (int i = 0; i < team_count; i++)
        if (teams[i].members && teams[i].list == list && teams[i].generation == generation)
            return true;
    return false;
}

/* The first that no other team of these members has: they make and destroy them in the same order. */
static uint64_t generation_of(uint64_t list)
{
    uint64_t generation = 1;
    while (is_taken(list, generation))
        generation++;
    return generation;
}

static struct races_arrival *arrivals_at(struct races_meeting *meeting, int members)
{
    uint64_t at = atomic_load_explicit(&meeting->arrivals, memory_order_acquire), taken;
    if (!at) {
        size_t bytes = (size_t)members * RACES_AHEAD * sizeof(struct races_arrival);
        if (!races_shared_take(bytes, &taken))
            return NULL;
        if (atomic_compare_exchange_strong(&meeting->arrivals, &at, taken))
            at = taken;
    }
    return (struct races_arrival *)(void *)(races.base + at);
}

static struct races_arrival *find_meeting(uint64_t key, int members, unsigned *number)
{
    for (uint64_t i = key, step = 0; step < RACES_MEETINGS; i++, step++) {
        struct races_meeting *meeting = &races.shared->meetings[i % RACES_MEETINGS];
        uint64_t there = atomic_load_explicit(&meeting->key, memory_order_relaxed);
        if (there == 0 && atomic_compare_exchange_strong(&meeting->key, &there, key))
            there = key;
        *number = (unsigned)(i % RACES_MEETINGS);
        if (there == key)
            return arrivals_at(meeting, members);
    }
    races_full(RACES_NO_TEAMS);
    return NULL;
}

/* A free one; the lock is held. */
static struct races_team *new_team(int size)
{
    int i = 0;
    while (i < team_count && teams[i].members)
        i++;
    if (i == MOST_TEAMS) {
        races_full(RACES_NO_TEAMS);
        return NULL;
    }
    team_count = i < team_count ? team_count : i + 1;
    teams[i] =
        (struct races_team){.size = size, .rank = -1, .members = malloc((size_t)size * sizeof(int))};
    return teams[i].members ? &teams[i] : NULL;
}

static struct races_team *ready(struct races_team *team, uint64_t key)
{
    for (int i = 0; i < team->size; i++)
        team->rank = team->members[i] == races.pe ? i : team->rank;
    team->key = mix(key, era) | 1;
    team->arrivals = find_meeting(team->key, team->size, &team->meeting);
    return team;
}

static struct races_team *ready_counted(struct races_team *team)
{
    uint64_t list = hash_members(team);
    team->generation = generation_of(list);
    team->list = list;
    return ready(team, mix(list, 16 + team->generation));
}

static struct races_team *enter_team(shmem_team_t handle, uint64_t tag, bool is_of_shared)
{
    int size = pshmem_team_n_pes(handle);
    struct races_team *team = size > 0 ? new_team(size) : NULL;
    if (!team)
        return NULL;
    team->handle = handle;
    team->is_of_shared = is_of_shared;
    for (int i = 0; i < size; i++)
        team->members[i] = pshmem_team_translate_pe(handle, i, SHMEM_TEAM_WORLD);
    return tag ? ready(team, mix(hash_members(team), tag)) : ready_counted(team);
}

void races_teams_prepare(void)
{
    for (int i = 0; i < team_count; i++)
        free(teams[i].members);
    memset(teams, 0, sizeof teams);
    team_count = 0;
    era++;
    enter_team(SHMEM_TEAM_WORLD, 1, false);
    enter_team(SHMEM_TEAM_SHARED, 2, true);
}

void races_team_made(const struct races_call *call, shmem_team_t handle)
{
    if (!races.is_up || handle == SHMEM_TEAM_INVALID)
        return;
    bool is_locked = races_lock();
    enter_team(handle, 0, call->team && call->team->is_of_shared);
    races_unlock(is_locked);
}

struct races_team *races_team_again(const struct races_team *team)
{
    bool is_locked = races_lock();
    struct races_team *again = new_team(team->size);
    if (again) {
        memcpy(again->members, team->members, (size_t)team->size * sizeof *team->members);
        again->handle = SHMEM_TEAM_INVALID;
        ready_counted(again);
    }
    races_unlock(is_locked);
    return again && again->arrivals ? again : NULL;
}

unsigned races_team_number(const struct races_team *team)
{
    return team->meeting;
}

void races_team_gone(shmem_team_t handle)
{
    for (int i = 2; i < team_count; i++)
        if (handle != SHMEM_TEAM_INVALID && teams[i].handle == handle)
            races_team_drop(&teams[i]);
}

void races_team_drop(struct races_team *team)
{
    bool is_locked = races_lock();
    free(team->members);
    *team = (struct races_team){0};
    races_unlock(is_locked);
}

static struct races_team *team_of(shmem_team_t handle)
{
    for (int i = 0; handle != SHMEM_TEAM_INVALID && i < team_count; i++)
        if (teams[i].handle == handle)
            return &teams[i];
    return NULL;
}

bool races_team_is_of_shared(shmem_team_t handle)
{
    const struct races_team *team = team_of(handle);
    return team && team->is_of_shared;
}

void races_team_find(struct races_call *call, shmem_team_t handle)
{
    struct races_team *team = races.is_up ? team_of(handle) : NULL;
    call->team = team && team->arrivals ? team : NULL;
}

void races_set_find(struct races_call *call, int start, int log_stride, int size)
{
    call->team = NULL;
    if (!races.is_up || size < 1 || start < 0 || log_stride < 0 || log_stride > 30 ||
        start + ((size - 1) * (INT64_C(1) << log_stride)) >= races.npes)
        return;
    bool is_locked = races_lock();
    uint64_t key = mix(mix(mix(3, (uint64_t)start), (uint64_t)log_stride), (uint64_t)size);
    for (int i = 0; i < team_count && !call->team; i++)
        if (teams[i].members && teams[i].key == (mix(key, era) | 1))
            call->team = &teams[i];
    if (!call->team && (call->team = new_team(size))) {
        for (int i = 0; i < size; i++)
            call->team->members[i] = start + (i << log_stride);
        ready(call->team, key);
    }
    races_unlock(is_locked);
    if (call->team && !call->team->arrivals)
        call->team = NULL;
}

int races_team_size(const struct races_call *call)
{
    return call->team ? call->team->size : 0;
}

int races_team_rank(const struct races_call *call)
{
    return call->team ? call->team->rank : -1;
}
