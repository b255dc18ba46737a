/* SPDX-License-Identifier: BSD-3-Clause
 *
 * New teams out of a parent team. Each PE computes its child's members from the arguments. On each node
 * the lowest rank of the child there allocates the child's block, and tells the members there in a note.
 * Then all members of the parent learn whether the call has failed on any. The child's first member
 * chooses the tag of a child that spans nodes; it goes along a tree of the child's nodes. So a PE handles
 * the notes of its node, and a number of messages that grows as the logarithm of the number of nodes.
 */
#include "base/log.h"
#include "core/team/agree.h"
#include "core/team/contexts.h"
#include "core/team/history.h"
#include "core/pe/job.h"
#include "core/pe/mpi_world.h"
#include "core/team/message.h"
#include "core/team/multinode.h"
#include "core/team/near.h"
#include "core/team/note.h"
#include "core/team/tag.h"
#include "core/team/team_internal.h"
#include "core/pe/wait.h"

#include <stdlib.h>
#include <string.h>

/* A child team, in the parent's ranks. */
struct child {
    int start, stride, size;
    int rank; /* this PE's rank in it, or -1 */
};

struct split_note {
    uint64_t block;  /* of the child that the poster represents on its node, or 0 */
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

static bool fill_team(struct sheaf_team *team, const struct sheaf_team *parent,
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

static struct sheaf_team *prepare_team(const struct sheaf_team *parent, const struct child *child,
                                       const shmem_team_config_t *config, long mask)
{
    struct sheaf_team *team = sheaf_team_new();
    if (!team || !fill_team(team, parent, child) || sheaf_multinode_make(team) != 0) {
        sheaf_team_drop(team);
        return NULL;
    }
    if (mask & SHMEM_TEAM_NUM_CONTEXTS && config)
        team->num_contexts = config->num_contexts;
    return team;
}

/* This PE's note for the other members of its child on this node. */
static struct split_note make_note(struct sheaf_team *team, bool failed)
{
    struct split_note mine = {.failed = failed};
    if (!team || !sheaf_job.control)
        return mine;
    if (sheaf_team_near(team)->rank == 0) {
        mine.block = sheaf_team_block_allocate(team);
        mine.failed = mine.block == 0;
    }
    return mine;
}

/* The part of the notes of this node's members of the parent that this PE's child needs. */
struct collected_notes {
    const struct sheaf_team *near; /* the parent's */
    int first;                     /* the PE that has made the child's block; -1: there is no child */
    uint64_t block;
    bool failed;                   /* on some PE of this node */
};

static void read_note(void *result, int rank, const void *note)
{
    struct collected_notes *heard = result;
    const struct split_note *split_note = note;
    heard->failed |= split_note->failed != 0;
    if (heard->first >= 0 && sheaf_team_world_pe(heard->near, rank) == heard->first)
        heard->block = split_note->block;
}

/* Called by the child's representatives: the tag goes along a binomial tree of its nodes, in messages
 * of the parent, since the child's have no tag yet. The parent of a node is the node without its
 * lowest bit. */
static uint64_t forward_tag(struct sheaf_team *parent, const struct child *child,
                            const struct sheaf_team *team)
{
    int node = team->multinode->node, nodes = team->multinode->nodes, bit = 1;
    uint64_t tag = node == 0 ? sheaf_tag_new() : 0;
    struct sheaf_messages messages;
    sheaf_messages_begin(&messages, parent);
    if (node != 0) {
        int from = sheaf_multinode_representative(team, node & (node - 1));
        sheaf_messages_receive(&messages, child->start + from * child->stride, &tag, sizeof tag);
        sheaf_messages_wait(&messages);
    }
    while (bit < nodes && !(node & bit))
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2)
        if (node + bit < nodes) {
            int to = sheaf_multinode_representative(team, node + bit);
            sheaf_messages_send(&messages, child->start + to * child->stride, &tag, sizeof tag);
        }
    sheaf_messages_wait(&messages);
    return tag;
}

/* All members of the child call it, once it has its block. */
static void agree_on_tag(struct sheaf_team *parent, const struct child *child, struct sheaf_team *team)
{
    struct sheaf_team *near = &team->multinode->near;
    uint64_t tag = near->rank == 0 ? forward_tag(parent, child, team) : 0;
    if (near->size > 1) {
        sheaf_near_note_post(near, &tag, sizeof tag);
        memcpy(&tag, sheaf_near_note_wait(near, 0), sizeof tag);
    }
    team->multinode->tag = tag;
}

/* Collective over parent: makes the child that this PE is in, if any. A failure on any PE makes the
 * result -1 on all. */
static int make_children(struct sheaf_team *parent, const struct child *child,
                         const shmem_team_config_t *config, long mask, struct sheaf_team **made)
{
    struct sheaf_team *team = NULL;
    bool failed = mask & SHMEM_TEAM_NUM_CONTEXTS && !config;

    *made = NULL;
    if (child->rank >= 0 && !failed) {
        team = prepare_team(parent, child, config, mask);
        failed = !team;
    }
    struct split_note mine = make_note(team, failed);
    struct collected_notes heard = {.near = sheaf_team_near(parent), .first = -1};
    if (team)
        heard.first = sheaf_team_world_pe(sheaf_team_near(team), 0);
    sheaf_team_gather(sheaf_team_near(parent), &mine, sizeof mine, read_note, &heard);
    failed = parent->multinode ? sheaf_team_first(parent, heard.failed) >= 0 : heard.failed;
    if (failed && mine.block)
        sheaf_team_block_release(mine.block, team);
    if (team)
        team->identity = sheaf_history_identity(parent, (uint64_t)child->start, (uint64_t)child->stride,
                                                (uint64_t)child->size);
    if (!failed && team && sheaf_team_attach_block(team, heard.block) == 0)
        *made = team;
    else
        sheaf_team_drop(team);
    if (*made && team->multinode)
        agree_on_tag(parent, child, team);
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
    struct sheaf_record *record = sheaf_history_begin(parent, SHEAF_WAITS_FOR_ALL, SHEAF_NO_BYTES);
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
    struct sheaf_record *record = sheaf_history_begin(parent, SHEAF_WAITS_FOR_ALL, SHEAF_NO_BYTES);
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
