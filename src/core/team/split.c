/* SPDX-License-Identifier: BSD-3-Clause
 *
 * New teams out of a parent. Everybody computes its child's members from the arguments; on each
 * node the lowest rank of the child there allocates the block where those will meet, and one
 * exchange over the parent tells its place, or the failure, to all.
 */
#include "base/log.h"
#include "core/team/agree.h"
#include "core/team/contexts.h"
#include "core/team/history.h"
#include "core/pe/job.h"
#include "core/pe/mpi_world.h"
#include "core/team/multinode.h"
#include "core/team/note.h"
#include "core/team/tag.h"
#include "core/team/team_internal.h"
#include "core/pe/wait.h"

#include <stdlib.h>

/* A child in the parent's numbers. */
struct child {
    int start, stride, size;
    int rank; /* mine in it, or -1 */
};

struct news {
    uint64_t block;  /* of the child that the poster represents on its node, or 0 */
    uint64_t tag;    /* of the child that the poster leads, if it spans nodes */
    uint64_t failed; /* a word: padding would be sent as it is */
};

static bool is_triplet(const struct sheaf_team *parent, int start, int stride, int size)
{
    if (start < 0 || start >= parent->size || size < 1 || (stride == 0 && size != 1))
        return false;
    long last = start + (long)(size - 1) * stride;
    return last >= 0 && last < parent->size;
}

static int rank_in(const struct child *child, int parent_rank)
{
    int distance = parent_rank - child->start;
    if (child->stride == 0)
        return distance == 0 ? 0 : -1;
    int rank = distance / child->stride;
    return distance % child->stride == 0 && rank >= 0 && rank < child->size ? rank : -1;
}

static bool fill(struct sheaf_team *team, const struct sheaf_team *parent,
                 const struct child *child)
{
    team->rank = child->rank;
    team->size = child->size;
    team->node_domain = parent->node_domain;
    if (!parent->table) {
        team->start = sheaf_team_world_pe(parent, child->start);
        team->stride = child->size == 1 ? 1 : parent->stride * child->stride;
        return true;
    }
    team->table = malloc((size_t)child->size * sizeof *team->table);
    for (int rank = 0; team->table && rank < child->size; rank++)
        team->table[rank] = sheaf_team_world_pe(parent, child->start + rank * child->stride);
    return team->table != NULL;
}

static struct sheaf_team *prepare(const struct sheaf_team *parent, const struct child *child,
                                  const shmem_team_config_t *config, long mask)
{
    struct sheaf_team *team = sheaf_team_new();
    if (!team || !fill(team, parent, child) || sheaf_multinode_make(team) != 0) {
        sheaf_team_drop(team);
        return NULL;
    }
    if (mask & SHMEM_TEAM_NUM_CONTEXTS && config)
        team->num_contexts = config->num_contexts;
    return team;
}

/* This PE's news for the others of its child. */
static struct news make_news(struct sheaf_team *team, bool failed)
{
    struct news mine = {.failed = failed};
    if (!team || !sheaf_job.control)
        return mine;
    if (sheaf_team_near(team)->rank == 0) {
        mine.block = sheaf_team_block_allocate(team);
        mine.failed = mine.block == 0;
    }
    if (team->multinode && team->rank == 0)
        mine.tag = sheaf_tag_new();
    return mine;
}

/* The others' news, as this PE's child needs it. */
struct hearing {
    const struct child *child;
    struct sheaf_team *team; /* mine; NULL without one */
    int first;               /* the rank in team of my node's representative */
    uint64_t block;
    bool failed;             /* on some PE */
};

static void hear(void *result, int rank, const void *note)
{
    struct hearing *heard = result;
    const struct news *news = note;
    heard->failed |= news->failed != 0;
    if (heard->team && rank == heard->child->start + heard->first * heard->child->stride)
        heard->block = news->block;
    if (heard->team && heard->team->multinode && rank == heard->child->start)
        heard->team->multinode->tag = news->tag;
}

/* Collective over parent: makes the child I am in, if any. On failure anywhere the result is -1
 * everywhere. */
static int make_children(struct sheaf_team *parent, const struct child *child,
                         const shmem_team_config_t *config, long mask, struct sheaf_team **made)
{
    struct sheaf_team *team = NULL;
    bool failed = mask & SHMEM_TEAM_NUM_CONTEXTS && !config;

    *made = NULL;
    if (child->rank >= 0 && !failed) {
        team = prepare(parent, child, config, mask);
        failed = !team;
    }
    struct news mine = make_news(team, failed);
    struct hearing heard = {.child = child, .team = team};
    if (team && team->multinode)
        heard.first = sheaf_multinode_representative(team, team->multinode->node);
    sheaf_team_gather(parent, &mine, sizeof mine, hear, &heard);
    failed = heard.failed;
    if (failed && mine.block)
        sheaf_team_block_release(mine.block, team);
    if (team)
        team->identity = sheaf_history_identity(parent, (uint64_t)child->start, (uint64_t)child->stride,
                                                (uint64_t)child->size);
    if (!failed && team && sheaf_team_attach_block(team, heard.block) == 0)
        *made = team;
    else
        sheaf_team_drop(team);
    return failed ? -1 : 0;
}

int sheaf_team_split_strided(struct sheaf_team *parent, int start, int stride, int size,
                             const shmem_team_config_t *config, long mask, shmem_team_t *team)
{
    struct sheaf_team *made;
    *team = SHMEM_TEAM_INVALID;
    if (!parent)
        return -1;
    sheaf_mpi_world_compare();
    sheaf_agree_enter(parent, sheaf_call.name);
    sheaf_agree_on_number(parent, "start", start);
    sheaf_agree_on_number(parent, "stride", stride);
    sheaf_agree_on_number(parent, "size", size);
    if (!is_triplet(parent, start, stride, size))
        return -1;
    struct child child = {.start = start, .stride = stride, .size = size};
    child.rank = rank_in(&child, parent->rank);
    struct sheaf_record *record = sheaf_history_begin(parent, SHEAF_MEETING, SHEAF_NO_BYTES);
    int failed = make_children(parent, &child, config, mask, &made);
    sheaf_record_end(record);
    if (failed)
        return -1;
    if (made)
        sheaf_team_enlist(made);
    *team = made;
    return 0;
}

int sheaf_team_split_2d(struct sheaf_team *parent, int xrange,
                        const shmem_team_config_t *xconfig, long xmask, shmem_team_t *xteam,
                        const shmem_team_config_t *yconfig, long ymask, shmem_team_t *yteam)
{
    struct sheaf_team *x, *y;
    *xteam = *yteam = SHMEM_TEAM_INVALID;
    if (!parent)
        return -1;
    sheaf_mpi_world_compare();
    sheaf_agree_enter(parent, sheaf_call.name);
    sheaf_agree_on_number(parent, "xrange", xrange);
    if (xrange < 1)
        return -1;
    if (xrange > parent->size)
        xrange = parent->size;

    int row = parent->rank / xrange, column = parent->rank % xrange;
    int rest = parent->size - row * xrange;
    struct child in_row = {row * xrange, 1, rest < xrange ? rest : xrange, column};
    struct child in_column = {column, xrange, (parent->size - column + xrange - 1) / xrange, row};
    struct sheaf_record *record = sheaf_history_begin(parent, SHEAF_MEETING, SHEAF_NO_BYTES);
    if (make_children(parent, &in_row, xconfig, xmask, &x) != 0)
        return -1;
    if (make_children(parent, &in_column, yconfig, ymask, &y) != 0) {
        sheaf_team_discard(x);
        return -1;
    }
    sheaf_record_end(record);
    sheaf_team_enlist(x);
    sheaf_team_enlist(y);
    *xteam = x;
    *yteam = y;
    return 0;
}
