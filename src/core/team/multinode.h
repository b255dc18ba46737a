/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The further data of a team whose members are on several nodes. The members on one node synchronize
 * through a block of that node's control area, as a team of their own. The lowest rank on each node is its
 * representative, and the representatives synchronize by messages.
 *
 * With SHEAF_LEVELS=flat each member of such a team counts as a node of its own.
 */
#ifndef SHEAF_CORE_TEAM_MULTINODE_H
#define SHEAF_CORE_TEAM_MULTINODE_H

#include "core/team/team.h"

/* Private to each PE. Nodes are numbered in the order of their representatives' ranks. Which member is on
 * which node stands in the team's block, once for all members of this node, and is known once the team has
 * its block: nodes, node, is_even and the four tables. near is known before. */
struct sheaf_multinode {
    uint64_t tag;           /* of the team's messages; its low bits name the sender */
    int nodes;
    int node;               /* mine */
    const int *node_of;     /* by rank */
    const int *members;     /* ranks, by node, ascending in each */
    const int *first;       /* by node, nodes + 1 entries: where its members begin in members */
    const int *position;     /* by rank: the member's index in members */
    bool is_even;           /* all nodes have the same number of members */
    struct sheaf_team near; /* the members on my node, in rank order; the representative is 0 */
    uint32_t epoch;         /* barriers that this PE has entered */
    uint32_t exchange;      /* exchanges of notes that this PE has entered */
    size_t width;           /* bytes of each note in the last exchange */
    unsigned char *notes;   /* size * SHEAF_NOTE_BYTES in the block: all members' notes, by position. The
                               representative writes them once all members here have posted their next note,
                               so have read the previous exchange */
    unsigned unanswered;    /* collectives since the last one in which the representatives synchronized */
    void *agreements;       /* data of survive/agree/undisturbed.c, or NULL; end_agreements frees it */
    void (*end_agreements)(struct sheaf_team *team);
    void *scratch;          /* working memory of collectives, see sheaf_multinode_scratch() */
    size_t scratch_bytes;
};

/* Sets team->multinode if the members are on several nodes. Returns 0, or -1 without memory. */
int sheaf_multinode_make(struct sheaf_team *team);
void sheaf_multinode_free(struct sheaf_team *team);

/* The tables behind the notes in the block: their bytes, and what lies in them. The member that
 * allocates the block writes them, before it tells the others of it: 0, or -1 without memory. find: in
 * every member, of a block that is written. */
size_t sheaf_multinode_table_bytes(const struct sheaf_team *team);
int sheaf_multinode_write_tables(const struct sheaf_team *team, void *tables);
void sheaf_multinode_find_tables(struct sheaf_team *team, const void *tables);

/* The members start again with another tag: messages sent before are no longer received. */
void sheaf_multinode_renew(struct sheaf_team *team, uint64_t tag);

/* The team of the members on this node, with near ranks; the block is its own. */
static inline struct sheaf_team *sheaf_team_near(struct sheaf_team *team)
{
    return team->multinode ? &team->multinode->near : team;
}

static inline int sheaf_multinode_representative(const struct sheaf_team *team, int node)
{
    return team->multinode->members[team->multinode->first[node]];
}

/* The member at this PE's own position on that node, which must have as many members. For a
 * representative it is the representative. */
static inline int sheaf_multinode_counterpart(const struct sheaf_team *team, int node)
{
    return team->multinode->members[team->multinode->first[node] + team->multinode->near.rank];
}

/* The node at (own node + distance) mod nodes; distance may be negative. */
static inline int sheaf_multinode_node_at(const struct sheaf_team *team, int distance)
{
    int nodes = team->multinode->nodes;
    return (int)(((long)team->multinode->node + distance + nodes) % nodes);
}

/* sheaf_sync() of such a team. */
void sheaf_multinode_sync(struct sheaf_team *team);

/* Sends every member's note, of width bytes, to every member. Returns once all notes are there. They
 * stay until the next exchange. */
void sheaf_multinode_exchange(struct sheaf_team *team, const void *payload, size_t bytes, size_t width);

/* Sets each of count words, at most SHEAF_LOWEST_WORDS, to the lowest that any member has given. The
 * representatives send a message in each round of a barrier, whatever the number of members. */
void sheaf_multinode_lowest(struct sheaf_team *team, uint64_t *words, int count);

static inline const void *sheaf_multinode_note(const struct sheaf_team *team, int rank)
{
    return team->multinode->notes + (size_t)team->multinode->position[rank] * team->multinode->width;
}

/* Called by the representatives, or by all members at one position of their nodes. Node k's part of
 * base is [first[k] * unit, first[k + 1] * unit), or, where first is NULL, [k * unit, (k + 1) * unit).
 * The caller's own part must be there; the call returns with all parts there. */
void sheaf_multinode_allgather(struct sheaf_team *team, void *base, const int *first, size_t unit);

/* Called by all members; nodes may have different numbers of members. base has unit bytes of each
 * member, by position. The parts of the caller's node must be there; the call returns with all parts
 * there. */
void sheaf_multinode_share(struct sheaf_team *team, void *base, size_t unit);

/* Memory of at least this many bytes, aligned for any type, valid until the next call that needs more. */
void *sheaf_multinode_scratch(struct sheaf_team *team, size_t bytes);

#endif
