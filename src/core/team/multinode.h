/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a team has more when its members are on several nodes. Those on one node meet in a block of
 * that node's control area, as a team of their own; the lowest rank on each node is its
 * representative, and the representatives meet by messages.
 *
 * With SHEAF_LEVELS=flat each member of such a team is taken for a node of its own.
 */
#ifndef SHEAF_CORE_TEAM_MULTINODE_H
#define SHEAF_CORE_TEAM_MULTINODE_H

#include "core/team/team.h"

/* Private to each PE. Nodes count in the order of their representatives' ranks. */
struct sheaf_multinode {
    uint64_t tag;           /* of the team's messages; its low bits are the sender's */
    int nodes;
    int node;               /* mine */
    const int *node_of;     /* by rank */
    const int *members;     /* ranks, by node, ascending in each */
    const int *first;       /* by node, nodes + 1 entries: where its members begin in members */
    const int *place;       /* by rank: where it stands in members */
    bool is_even;           /* each node has as many members */
    struct sheaf_team near; /* the members on my node, in rank order; the representative is 0 */
    uint32_t epoch;         /* barriers I have entered */
    uint32_t exchange;      /* exchanges of notes I have entered */
    size_t width;           /* of each note in the last of them */
    unsigned char *notes;   /* size * SHEAF_NOTE_BYTES in the block: all members' notes, by place.
                               The representative writes; it has heard from all members here since
                               they have read the exchange before */
    unsigned unanswered;    /* collectives since the last in which representatives met */
    void *agreements;       /* survive/agree/undisturbed.c's, or NULL. What ends them frees them */
    void (*end_agreements)(struct sheaf_team *team);
    void *scratch;          /* working memory of collectives, see sheaf_multinode_scratch() */
    size_t scratch_bytes;
};

/* Gives team its parts if its members are on several nodes. Returns 0, or -1 without memory. */
int sheaf_multinode_make(struct sheaf_team *team);
void sheaf_multinode_free(struct sheaf_team *team);

/* Its members begin anew, with another tag: what was sent before is read no more. */
void sheaf_multinode_renew(struct sheaf_team *team, uint64_t tag);

/* The members on my node: near ranks, and the block is theirs. */
static inline struct sheaf_team *sheaf_team_near(struct sheaf_team *team)
{
    return team->multinode ? &team->multinode->near : team;
}

static inline int sheaf_multinode_representative(const struct sheaf_team *team, int node)
{
    return team->multinode->members[team->multinode->first[node]];
}

/* The member at my own position on that node, if that node has as many members: of representatives, the
 * representative. */
static inline int sheaf_multinode_counterpart(const struct sheaf_team *team, int node)
{
    return team->multinode->members[team->multinode->first[node] + team->multinode->near.rank];
}

static inline bool sheaf_multinode_represents(const struct sheaf_team *team)
{
    return team->multinode->near.rank == 0;
}

/* The node so many after mine, in a circle; distance may be negative. */
static inline int sheaf_multinode_node_at(const struct sheaf_team *team, int distance)
{
    int nodes = team->multinode->nodes;
    return (int)(((long)team->multinode->node + distance + nodes) % nodes);
}

/* sheaf_sync() of such a team. */
void sheaf_multinode_sync(struct sheaf_team *team);

/* Everybody's note, width bytes of each, to everybody: returns once they are there. They stay until
 * the next exchange. */
void sheaf_multinode_exchange(struct sheaf_team *team, const void *payload, size_t bytes, size_t width);

static inline const void *sheaf_multinode_note(const struct sheaf_team *team, int rank)
{
    return team->multinode->notes + (size_t)team->multinode->place[rank] * team->multinode->width;
}

/* Called by the representatives, or by all members at one position of their nodes: node k's part of base
 * is [first[k] * unit, first[k + 1] * unit), or, where first is NULL, [k * unit, (k + 1) * unit). My part
 * is there; the call returns with all parts. */
void sheaf_multinode_allgather(struct sheaf_team *team, void *base, const int *first, size_t unit);

/* Called by all members, of nodes with any number of them: base has unit bytes of each, by place; those of
 * my node are there, and the call returns with all. */
void sheaf_multinode_share(struct sheaf_team *team, void *base, size_t unit);

/* At least so many bytes, aligned for any type, until the next call for more. */
void *sheaf_multinode_scratch(struct sheaf_team *team, size_t bytes);

#endif
