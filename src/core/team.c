/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams as objects: finding, translating, destroying, and the predefined ones. Making new ones
 * is in split.c and active_set.c.
 */
#include "core/team.h"

#include "base/log.h"
#include "core/agree.h"
#include "core/arena.h"
#include "core/context.h"
#include "core/job.h"
#include "core/sync.h"
#include "core/team_internal.h"

#include <pthread.h>
#include <stdlib.h>

static struct sheaf_team world, shared;

/* User teams of this PE, for finalize. */
static struct sheaf_team *alive;

/* Teams that were destroyed wait here for the next ones, so that a handle kept too long leads to
 * a team without a block and not to memory of somebody else's. */
static struct sheaf_team *spare;
static pthread_mutex_t alive_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t block_bytes(int size)
{
    return sizeof(struct sheaf_team_block) + (size_t)size * sizeof(struct sheaf_member);
}

uint64_t sheaf_team_block_allocate(int size)
{
    return sheaf_arena_allocate(block_bytes(size));
}

void sheaf_team_block_release(uint64_t offset, int size)
{
    sheaf_arena_release(offset, block_bytes(size));
}

/* The last member to leave gives the block back. */
static void leave_block(struct sheaf_team *team)
{
    uint32_t left = __atomic_add_fetch(&team->block->left, 1, __ATOMIC_ACQ_REL);
    if (left == (uint32_t)team->size && team->block_offset)
        sheaf_team_block_release(team->block_offset, team->size);
}

struct sheaf_team *sheaf_team_world(void)
{
    return &world;
}

shmem_team_t sheaf_team_handle(struct sheaf_team *team)
{
    if (team == &world)
        return SHMEM_TEAM_WORLD;
    return team == &shared ? SHMEM_TEAM_SHARED : team;
}

struct sheaf_team *sheaf_team_find(shmem_team_t handle, const char *call)
{
    sheaf_job_require(call);
    if (handle == SHMEM_TEAM_WORLD)
        return &world;
    if (handle == SHMEM_TEAM_SHARED)
        return &shared;
    if (sheaf_unlikely(handle && !handle->block))
        sheaf_fatal("%s: the team has been destroyed", call);
    return handle;
}

struct sheaf_team *sheaf_team_require(shmem_team_t handle, const char *call)
{
    struct sheaf_team *team = sheaf_team_find(handle, call);
    if (sheaf_unlikely(!team))
        sheaf_fatal("%s: the team is SHMEM_TEAM_INVALID: only members of a team may call this",
                    call);
    sheaf_agree_on_call(team, call);
    return team;
}

int sheaf_team_rank_of(const struct sheaf_team *team, int pe)
{
    if (team->table) {
        for (int rank = 0; rank < team->size; rank++)
            if (team->table[rank] == pe)
                return rank;
        return -1;
    }
    int distance = pe - team->start;
    if (team->stride == 0)
        return distance == 0 ? 0 : -1;
    if (distance % team->stride != 0)
        return -1;
    int rank = distance / team->stride;
    return rank >= 0 && rank < team->size ? rank : -1;
}

int sheaf_team_translate(const struct sheaf_team *from, int rank, const struct sheaf_team *to)
{
    if (!from || !to || rank < 0 || rank >= from->size)
        return -1;
    return sheaf_team_rank_of(to, sheaf_team_world_pe(from, rank));
}

int sheaf_team_get_config(const struct sheaf_team *team, long mask, shmem_team_config_t *config)
{
    if (!team)
        return -1;
    if (mask & SHMEM_TEAM_NUM_CONTEXTS && config)
        config->num_contexts = team->num_contexts;
    return 0;
}

void sheaf_team_enlist(struct sheaf_team *team)
{
    pthread_mutex_lock(&alive_lock);
    team->next = alive;
    if (alive)
        alive->previous = team;
    alive = team;
    pthread_mutex_unlock(&alive_lock);
}

static void delist(struct sheaf_team *team)
{
    pthread_mutex_lock(&alive_lock);
    if (team->previous)
        team->previous->next = team->next;
    else
        alive = team->next;
    if (team->next)
        team->next->previous = team->previous;
    pthread_mutex_unlock(&alive_lock);
}

void sheaf_team_discard(struct sheaf_team *team)
{
    sheaf_context_destroy_all(team);
    leave_block(team);
    if (!team->block_offset)
        free(team->block);
    free(team->table);
    *team = (struct sheaf_team){.block = NULL};
    pthread_mutex_lock(&alive_lock);
    team->next = spare;
    spare = team;
    pthread_mutex_unlock(&alive_lock);
}

struct sheaf_team *sheaf_team_new(void)
{
    pthread_mutex_lock(&alive_lock);
    struct sheaf_team *team = spare;
    if (team)
        spare = team->next;
    pthread_mutex_unlock(&alive_lock);
    if (!team)
        return calloc(1, sizeof *team);
    team->next = NULL;
    return team;
}

void sheaf_team_destroy(struct sheaf_team *team)
{
    if (!team)
        return;
    if (team->predefined)
        sheaf_fatal("shmem_team_destroy: a predefined team cannot be destroyed");
    delist(team);
    sheaf_team_discard(team);
}

/* Gives a team its block and its barrier; without a control area a private one. */
int sheaf_team_attach_block(struct sheaf_team *team, uint64_t offset)
{
    team->block_offset = offset;
    if (sheaf_job.control)
        team->block = sheaf_arena_at(offset);
    else
        team->block = aligned_alloc(SHEAF_CACHE_LINE, block_bytes(team->size));
    if (!team->block)
        return -1;
    if (!sheaf_job.control)
        __builtin_memset(team->block, 0, block_bytes(team->size));
    sheaf_sync_attach(team);
    return 0;
}

static int make_predefined(struct sheaf_team *team, uint64_t offset, bool node_domain)
{
    *team = (struct sheaf_team){
        .rank = sheaf_job.pe,
        .size = sheaf_job.npes,
        .stride = 1,
        .predefined = true,
        .node_domain = node_domain,
    };
    return sheaf_team_attach_block(team, offset);
}

/* Called between two control barriers, so that every PE takes part in the same blocks. */
int sheaf_team_init(void)
{
    struct sheaf_control *control = sheaf_job.control;
    if (control) {
        if (sheaf_job.pe == 0) {
            control->active_sets = 0;
            control->world_block = sheaf_team_block_allocate(sheaf_job.npes);
            control->shared_block = sheaf_team_block_allocate(sheaf_job.npes);
        }
        sheaf_control_barrier(control);
        if (!control->world_block || !control->shared_block) {
            sheaf_error("the job's control area is too small for %d PEs", sheaf_job.npes);
            return -1;
        }
    }
    if (make_predefined(&world, control ? control->world_block : 0, false) != 0 ||
        make_predefined(&shared, control ? control->shared_block : 0, true) != 0)
        return -1;
    return 0;
}

static void retire_predefined(struct sheaf_team *team)
{
    sheaf_context_destroy_all(team);
    leave_block(team);
    if (!team->block_offset)
        free(team->block);
    team->block = NULL;
}

void sheaf_team_fini(void)
{
    while (alive)
        sheaf_team_destroy(alive);
    sheaf_active_sets_fini();
    retire_predefined(&world);
    retire_predefined(&shared);
}
