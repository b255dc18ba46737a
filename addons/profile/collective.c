/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When each PE entered and left each collective, so that oshprof can tell who came last. Records of
 * the same call are found by team and number: a team is known by its members and by how many with
 * the same there were before. Where room ends, half of the records go, by a rule that depends on
 * the number alone: all PEs keep the same ones.
 */
#include "profile/internal.h"

#include <stdlib.h>
#include <string.h>

struct known_team {
    shmem_team_t team; /* SHMEM_TEAM_INVALID: an active set, or gone */
    struct profile_set set;
    uint64_t id;
    uint32_t sequence;
};

static struct known_team known[PROFILE_MAX_TEAMS];
static uint64_t members_of[PROFILE_MAX_TEAMS]; /* hashes, by place in the chunk */
static int known_count, last_known;
static struct profile_chunk *teams, *records;

int profile_collectives_prepare(void)
{
    teams =
        profile_file_add(PROFILE_TEAMS, 0, PROFILE_MAX_TEAMS * sizeof(struct profile_team), NULL);
    records = profile_file_add(PROFILE_COLLECTIVES, 0,
                               PROFILE_MAX_COLLECTIVES * sizeof(struct profile_collective), NULL);
    return teams && records ? 0 : -1;
}

/* Teams that the program makes do not outlive the library. */
void profile_collectives_forget(void)
{
    for (int i = 0; i < known_count; i++)
        if (known[i].team != SHMEM_TEAM_WORLD && known[i].team != SHMEM_TEAM_SHARED)
            known[i].team = SHMEM_TEAM_INVALID;
}

void profile_forget_team(shmem_team_t team)
{
    pthread_mutex_lock(&profile.lock);
    for (int i = 0; i < known_count; i++)
        if (known[i].team == team && team != SHMEM_TEAM_INVALID)
            known[i].team = SHMEM_TEAM_INVALID;
    pthread_mutex_unlock(&profile.lock);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash ^= value + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
    return hash * UINT64_C(0xff51afd7ed558ccd);
}

static struct profile_team team_of_handle(shmem_team_t team, uint64_t *hash)
{
    struct profile_team about = {.size = (uint32_t)profile_library.team_n_pes(team)};
    int before = 0;
    for (int i = 0; i < (int)about.size; i++) {
        int pe = profile_library.team_translate_pe(team, i, SHMEM_TEAM_WORLD);
        *hash = mix(*hash, (uint64_t)pe);
        if (i == 0)
            about.first = (uint32_t)pe;
        else if (i == 1)
            about.stride = pe - before;
        else if (pe - before != about.stride)
            about.stride = 0;
        before = pe;
    }
    return about;
}

static struct profile_team team_of_set(const struct profile_set *set, uint64_t *hash)
{
    *hash = mix(mix(mix(1, (uint64_t)set->start), (uint64_t)set->stride), (uint64_t)set->size);
    return (struct profile_team){.size = (uint32_t)set->size,
                                 .first = (uint32_t)set->start,
                                 .stride = 1 << (set->stride & 31),
                                 .is_active_set = 1};
}

static struct known_team *learn(const struct profile_call *call)
{
    if (known_count == PROFILE_MAX_TEAMS)
        return NULL;
    uint64_t hash = 0, same = 0;
    struct profile_team about =
        call->set.size > 0 ? team_of_set(&call->set, &hash) : team_of_handle(call->team, &hash);
    for (int i = 0; i < known_count; i++)
        same += members_of[i] == hash;
    about.id = mix(hash, same);
    ((struct profile_team *)(teams + 1))[known_count] = about;
    members_of[known_count] = hash;
    known[known_count] = (struct known_team){call->team, call->set, about.id, 0};
    teams->count = (uint64_t)++known_count;
    return &known[known_count - 1];
}

static bool is_same(const struct known_team *team, const struct profile_call *call)
{
    if (call->set.size > 0)
        return memcmp(&team->set, &call->set, sizeof call->set) == 0;
    return team->set.size == 0 && team->team == call->team;
}

static struct known_team *find(const struct profile_call *call)
{
    if (last_known < known_count && is_same(&known[last_known], call))
        return &known[last_known];
    for (int i = 0; i < known_count; i++)
        if (is_same(&known[i], call)) {
            last_known = i;
            return &known[i];
        }
    return learn(call);
}

static bool is_kept(uint32_t sequence, uint32_t shift)
{
    uint64_t hash = (sequence + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15);
    return shift == 0 || hash >> (64 - shift) == 0;
}

static void halve(void)
{
    struct profile_collective *all = (struct profile_collective *)(records + 1);
    uint32_t shift = ++profile.header->kept_shift;
    uint64_t kept = 0;
    for (uint64_t i = 0; i < records->count; i++)
        if (is_kept(all[i].sequence, shift))
            all[kept++] = all[i];
    records->count = kept;
}

void profile_collective_skip(const struct profile_call *call)
{
    pthread_mutex_lock(&profile.lock);
    struct known_team *team = find(call);
    if (team)
        team->sequence++;
    pthread_mutex_unlock(&profile.lock);
}

uint32_t profile_collective_note(const struct profile_call *call, uint32_t site, uint64_t end)
{
    pthread_mutex_lock(&profile.lock);
    struct known_team *team = find(call);
    uint32_t sequence = team ? team->sequence++ : 0;
    profile.header->collectives++;
    while (team && records->count == PROFILE_MAX_COLLECTIVES && profile.header->kept_shift < 32)
        halve();
    if (team && is_kept(sequence, profile.header->kept_shift) &&
        records->count < PROFILE_MAX_COLLECTIVES) {
        struct profile_collective *all = (struct profile_collective *)(records + 1);
        all[records->count] =
            (struct profile_collective){team->id, call->begin, end, sequence, site};
        records->count++;
    }
    pthread_mutex_unlock(&profile.lock);
    return sequence;
}

void profile_collectives_learn_world(void)
{
    struct profile_call world = {.team = SHMEM_TEAM_WORLD};
    pthread_mutex_lock(&profile.lock);
    find(&world);
    pthread_mutex_unlock(&profile.lock);
}
