/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams as objects: finding, translating and destroying them, and the predefined teams. split.c and
 * listed/ make new teams.
 */
#include "core/team/team.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/team/agree.h"
#include "core/pe/arena.h"
#include "core/team/contexts.h"
#include "core/pe/job.h"
#include "core/team/history.h"
#include "core/team/multinode.h"
#include "core/team/sync.h"
#include "core/team/team_internal.h"
#include "survive/interface/survival.h"

#include <pthread.h>
#include <stdlib.h>

struct sheaf_team sheaf_world;
static struct sheaf_team shared;

/* User teams of this PE, for finalize. */
static struct sheaf_team *user_teams;

/* Destroyed teams wait here to be used again. So a handle that a program uses too long leads to a team
 * without a block, not to memory with another use. */
static struct sheaf_team *spare_teams;
static pthread_mutex_t teams_lock = PTHREAD_MUTEX_INITIALIZER;

static size_t members_bytes(int size)
{
    return sizeof(struct sheaf_team_block) + (size_t)size * sizeof(struct sheaf_member);
}

/* Of a team that spans nodes: members on this node, notes of all, tables. */
static size_t tables_offset(const struct sheaf_team *team)
{
    return members_bytes(team->multinode->near.size) + (size_t)team->size * SHEAF_NOTE_BYTES;
}

size_t sheaf_team_block_bytes(const struct sheaf_team *team)
{
    if (!team->multinode)
        return members_bytes(team->size);
    return tables_offset(team) + sheaf_multinode_table_bytes(team);
}

uint64_t sheaf_team_block_allocate(const struct sheaf_team *team)
{
    uint64_t offset = sheaf_arena_allocate(sheaf_team_block_bytes(team));
    if (!offset || !team->multinode)
        return offset;
    if (sheaf_multinode_write_tables(team, (char *)sheaf_arena_at(offset) + tables_offset(team)) == 0)
        return offset;
    sheaf_team_block_release(offset, team);
    return 0;
}

void sheaf_team_block_release(uint64_t offset, const struct sheaf_team *team)
{
    sheaf_arena_release(offset, sheaf_team_block_bytes(team));
}

/* The last member on this node to leave gives the block back. */
static void leave_block(struct sheaf_team *team)
{
    uint32_t leavers = __atomic_add_fetch(&team->block->leavers, 1, __ATOMIC_ACQ_REL);
    if (leavers == (uint32_t)sheaf_team_near(team)->size && team->block_offset)
        sheaf_team_block_release(team->block_offset, team);
    if (!team->block_offset)
        free(team->block);
}

const struct sheaf_team *sheaf_team_next(const struct sheaf_team *team)
{
    return team ? team->next : user_teams;
}

shmem_team_t sheaf_team_handle(struct sheaf_team *team)
{
    if (team == &sheaf_world)
        return SHMEM_TEAM_WORLD;
    return team == &shared ? SHMEM_TEAM_SHARED : team;
}

int sheaf_team_of_context(shmem_ctx_t context, shmem_team_t *team)
{
    *team = SHMEM_TEAM_INVALID;
    if (context == SHMEM_CTX_INVALID)
        return -1;
    *team = context == SHMEM_CTX_DEFAULT ? SHMEM_TEAM_WORLD : sheaf_team_handle(context->team);
    return 0;
}

struct sheaf_team *sheaf_team_find(shmem_team_t handle, const char *call)
{
    sheaf_job_require(call);
    if (handle == SHMEM_TEAM_WORLD)
        return &sheaf_world;
    if (handle == SHMEM_TEAM_SHARED)
        return &shared;
    if (sheaf_unlikely(handle && !handle->block))
        sheaf_fatal("SH115 %s: the team has been destroyed", call);
    return handle;
}

struct sheaf_team *sheaf_team_require_now(shmem_team_t handle, const char *call)
{
    struct sheaf_team *team = sheaf_team_find(handle, call);
    if (sheaf_unlikely(!team))
        sheaf_fatal("SH115 %s: the team is SHMEM_TEAM_INVALID: only members of a team may call this",
                    call);
    sheaf_agree_enter(team, call);
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
    return sheaf_team_rank_in_row(team, pe);
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

void sheaf_team_list(struct sheaf_team *team, int *pes, int size)
{
    int stride = size > 1 ? pes[1] - pes[0] : 1, rank = 0;
    while (rank < size && pes[rank] == pes[0] + rank * stride)
        rank++;
    team->size = size;
    if (rank < size) {
        team->table = pes;
        return;
    }
    team->start = pes[0];
    team->stride = stride;
    free(pes);
}

void sheaf_team_enlist(struct sheaf_team *team)
{
    pthread_mutex_lock(&teams_lock);
    team->next = user_teams;
    if (user_teams)
        user_teams->previous = team;
    user_teams = team;
    pthread_mutex_unlock(&teams_lock);
}

static void delist_team(struct sheaf_team *team)
{
    pthread_mutex_lock(&teams_lock);
    if (team->previous)
        team->previous->next = team->next;
    else
        user_teams = team->next;
    if (team->next)
        team->next->previous = team->previous;
    pthread_mutex_unlock(&teams_lock);
}

void sheaf_team_drop(struct sheaf_team *team)
{
    if (!team)
        return;
    sheaf_multinode_free(team);
    free(team->dead);
    free(team->table);
    free(team);
}

bool sheaf_team_has_tag(uint64_t tag)
{
    pthread_mutex_lock(&teams_lock);
    const struct sheaf_team *team = user_teams;
    while (team && (!team->multinode || team->multinode->tag != tag))
        team = team->next;
    pthread_mutex_unlock(&teams_lock);
    return team != NULL;
}

/* Ends what the team has of its own. */
static void retire_team(struct sheaf_team *team)
{
    sheaf_context_destroy_all(team);
    sheaf_history_close(team);
    leave_block(team);
    sheaf_multinode_free(team);
    free(team->dead);
    free(team->table);
    team->dead = NULL;
    team->table = NULL;
    team->block = NULL;
}

void sheaf_team_discard(struct sheaf_team *team)
{
    retire_team(team);
    *team = (struct sheaf_team){.block = NULL};
    pthread_mutex_lock(&teams_lock);
    team->next = spare_teams;
    spare_teams = team;
    pthread_mutex_unlock(&teams_lock);
}

struct sheaf_team *sheaf_team_new(void)
{
    pthread_mutex_lock(&teams_lock);
    struct sheaf_team *team = spare_teams;
    if (team)
        spare_teams = team->next;
    pthread_mutex_unlock(&teams_lock);
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
        sheaf_fatal("SH115 shmem_team_destroy: a predefined team cannot be destroyed");
    delist_team(team);
    sheaf_team_discard(team);
}

/* Sets a team's block and barrier. Without a control area the block is private. */
int sheaf_team_attach_block(struct sheaf_team *team, uint64_t offset)
{
    struct sheaf_team *near = sheaf_team_near(team);
    team->block_offset = near->block_offset = offset;
    if (sheaf_job.control)
        team->block = sheaf_arena_at(offset);
    else
        team->block = aligned_alloc(SHEAF_CACHE_LINE, sheaf_team_block_bytes(team));
    if (!team->block)
        return -1;
    if (!sheaf_job.control)
        __builtin_memset(team->block, 0, sheaf_team_block_bytes(team));
    near->block = team->block;
    if (team->multinode)
        sheaf_multinode_find_tables(team, (const char *)team->block + tables_offset(team));
    sheaf_sync_attach(team);
    if (team->multinode) {
        sheaf_sync_attach(near);
        team->multinode->notes = (unsigned char *)&near->block->members[near->size];
    }
    team->born = near->born = sheaf_world.born;
    sheaf_history_open(team);
    return 0;
}

/* Makes the team of this node's PEs. */
static int list_node(struct sheaf_team *team)
{
    int size = sheaf_boot.node_npes, *pes = malloc((size_t)size * sizeof *pes);
    if (!pes)
        return -1;
    for (int slot = 0; slot < size; slot++)
        pes[slot] = sheaf_boot_pe_at(slot);
    *team = (struct sheaf_team){.rank = sheaf_boot.slot};
    sheaf_team_list(team, pes, size);
    return 0;
}

static int list_predefined(void)
{
    static uint64_t times;
    uint64_t identity = sheaf_history_identity(NULL, ++times, 0, 0);
    sheaf_world = (struct sheaf_team){
        .identity = identity,
        .rank = sheaf_job.pe,
        .size = sheaf_job.npes,
        .stride = 1,
        .predefined = true};
    if (sheaf_multinode_make(&sheaf_world) != 0 || list_node(&shared) != 0) {
        sheaf_error("SH301 no memory for the teams of %d PEs", sheaf_job.npes);
        return -1;
    }
    shared.predefined = shared.node_domain = true;
    shared.identity = sheaf_history_identity(NULL, times, (uint64_t)sheaf_boot_pe_at(0), 1);
    return 0;
}

/* The first member on this node allocates the block, and stores its offset in *told for the others. */
static uint64_t make_block(struct sheaf_team *team, uint64_t *told)
{
    const struct sheaf_team *near = sheaf_team_near(team);
    if (near->rank != 0)
        return 0;
    uint64_t offset = sheaf_team_block_allocate(team);
    if (near->size > 1)
        *told = offset;
    return offset;
}

/* Called between two control barriers, so that every PE of the node takes part in the same blocks. */
int sheaf_team_init(void)
{
    struct sheaf_control *control = sheaf_job.control;
    uint64_t world_block = 0, shared_block = 0;
    if (list_predefined() != 0 || sheaf_tree_record_domains() != 0)
        return -1;
    if (control && sheaf_survival->is_respawned()) { /* no synchronization before sheaf_rejoin() */
        world_block = sheaf_team_block_allocate(&sheaf_world);
        shared_block = sheaf_team_block_allocate(&shared);
    } else if (control) {
        world_block = make_block(&sheaf_world, &control->world_block);
        shared_block = make_block(&shared, &control->shared_block);
        if (!sheaf_control_barrier(control))
            return -1;
        if (sheaf_team_near(&sheaf_world)->rank != 0)
            world_block = control->world_block;
        if (shared.rank != 0)
            shared_block = control->shared_block;
    }
    if (control && (!world_block || !shared_block)) {
        sheaf_error("SH131 the job's control area is too small for %d PEs", sheaf_job.npes);
        return -1;
    }
    if (sheaf_team_attach_block(&sheaf_world, world_block) != 0 ||
        sheaf_team_attach_block(&shared, shared_block) != 0)
        return -1;
    return 0;
}

struct sheaf_team *sheaf_team_shared(void)
{
    return &shared;
}

/* The team's contexts stay. */
static void renew_team(struct sheaf_team *team, uint64_t block, uint64_t identity, uint32_t born,
                       uint64_t tag)
{
    sheaf_history_close(team);
    free(team->dead);
    team->dead = NULL;
    team->identity = identity;
    team->epoch = team->exchange = team->read = team->lost = 0;
    team->agreements[SHEAF_AGREE_PROGRAM] = team->agreements[SHEAF_AGREE_LIBRARY] = 0;
    team->own_progress = 0;
    team->heard = sheaf_world.born = born;
    if (team->multinode)
        sheaf_multinode_renew(team, tag);
    sheaf_team_attach_block(team, block);
}

/* In a job of several nodes each node has blocks of its own, so their offsets differ. */
void sheaf_team_renew(uint64_t world_block, uint64_t shared_block, uint32_t born, uint64_t tag)
{
    bool is_far = sheaf_boot.nodes > 1;
    uint64_t of_world = is_far ? UINT64_MAX : world_block;
    uint64_t of_shared = is_far ? (uint64_t)sheaf_boot_pe_at(0) : shared_block;
    renew_team(&sheaf_world, world_block, sheaf_history_identity(NULL, of_world, born, 0), born, tag);
    renew_team(&shared, shared_block, sheaf_history_identity(NULL, of_shared, born, is_far), born, tag);
}

void sheaf_team_fini(void)
{
    while (user_teams)
        sheaf_team_destroy(user_teams);
    retire_team(&sheaf_world);
    retire_team(&shared);
}
