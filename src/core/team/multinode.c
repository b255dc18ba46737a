/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See multinode.h. The synchronization of a team's nodes is in multinode_sync.c.
 */
#include "core/team/multinode.h"

#include "base/log.h"
#include "boot/boot.h"
#include "core/pe/job.h"
#include "core/pe/wait.h"

#include <stdlib.h>
#include <string.h>

static bool is_spread(const struct sheaf_team *team)
{
    if (sheaf_boot.nodes == 1)
        return false;
    for (int rank = 0; rank < team->size; rank++)
        if (sheaf_boot_node_of(sheaf_team_world_pe(team, rank)) != sheaf_boot.node)
            return true;
    return false;
}

/* The number of the member's node, or, with SHEAF_LEVELS=flat, of its PE. */
static int location_of(const struct sheaf_team *team, int rank)
{
    int pe = sheaf_team_world_pe(team, rank);
    return sheaf_job.settings.levels == SHEAF_LEVELS_FLAT ? pe : sheaf_boot_node_of(pe);
}

/* Numbers the nodes by their lowest ranks, and counts their members in first[node + 1]. Returns the
 * number of nodes, or -1 without memory. */
static int number_nodes(const struct sheaf_team *team, int *node_of, int *first)
{
    int locations = sheaf_job.npes > sheaf_boot.nodes ? sheaf_job.npes : sheaf_boot.nodes, nodes = 0;
    int *number = calloc((size_t)locations, sizeof *number); /* plus 1; 0: not seen */
    if (!number)
        return -1;
    for (int rank = 0; rank < team->size; rank++) {
        int location = location_of(team, rank);
        if (number[location] == 0)
            number[location] = ++nodes;
        node_of[rank] = number[location] - 1;
        first[number[location]]++;
    }
    free(number);
    return nodes;
}

/* Allocates the struct and its tables in one piece: node_of, members, position, this node's PEs, first. */
static struct sheaf_multinode *allocate_multinode(int size)
{
    return calloc(1, sizeof(struct sheaf_multinode) + (5 * (size_t)size + 1) * sizeof(int));
}

static void list_members(struct sheaf_multinode *multinode, int size, int *members, int *position,
                         int *first)
{
    for (int node = 0; node < multinode->nodes; node++)
        first[node + 1] += first[node];
    for (int rank = 0; rank < size; rank++) {
        int at = first[multinode->node_of[rank]]++;
        members[at] = rank;
        position[rank] = at;
    }
    for (int node = multinode->nodes; node > 0; node--)
        first[node] = first[node - 1];
    first[0] = 0;
}

static bool is_even(const struct sheaf_multinode *multinode)
{
    for (int node = 1; node < multinode->nodes; node++)
        if (multinode->first[node + 1] - multinode->first[node] != multinode->first[1])
            return false;
    return true;
}

static void make_near(struct sheaf_team *team, struct sheaf_multinode *multinode, int *pes)
{
    int first = multinode->first[multinode->node];
    multinode->near = (struct sheaf_team){
        .rank = multinode->position[team->rank] - first,
        .size = multinode->first[multinode->node + 1] - first,
        .table = pes,
        .predefined = team->predefined,
        .parent_team = team,
    };
    for (int rank = 0; rank < multinode->near.size; rank++)
        pes[rank] = sheaf_team_world_pe(team, multinode->members[first + rank]);
}

int sheaf_multinode_make(struct sheaf_team *team)
{
    if (!is_spread(team))
        return 0;
    struct sheaf_multinode *multinode = allocate_multinode(team->size);
    if (!multinode)
        return -1;
    size_t size = (size_t)team->size;
    int *node_of = (int *)(multinode + 1), *members = node_of + size, *position = members + size,
        *pes = position + size, *first = pes + size;
    multinode->nodes = number_nodes(team, node_of, first);
    if (multinode->nodes < 0) {
        free(multinode);
        return -1;
    }
    multinode->node_of = node_of;
    multinode->members = members;
    multinode->position = position;
    multinode->first = first;
    multinode->node = node_of[team->rank];
    list_members(multinode, team->size, members, position, first);
    multinode->is_even = is_even(multinode);
    make_near(team, multinode, pes);
    team->multinode = multinode;
    return 0;
}

static void end_agreements(struct sheaf_team *team)
{
    if (team->multinode->agreements)
        team->multinode->end_agreements(team);
    team->multinode->agreements = NULL;
}

void sheaf_multinode_free(struct sheaf_team *team)
{
    if (team->multinode) {
        end_agreements(team);
        free(team->multinode->scratch);
    }
    free(team->multinode);
    team->multinode = NULL;
}

void sheaf_multinode_renew(struct sheaf_team *team, uint64_t tag)
{
    struct sheaf_multinode *multinode = team->multinode;
    end_agreements(team);
    multinode->tag = tag;
    multinode->epoch = multinode->exchange = 0;
    multinode->unanswered = 0;
    multinode->near.epoch = multinode->near.exchange = multinode->near.read = 0;
}

void *sheaf_multinode_scratch(struct sheaf_team *team, size_t bytes)
{
    struct sheaf_multinode *multinode = team->multinode;
    if (multinode->scratch_bytes >= bytes)
        return multinode->scratch;
    free(multinode->scratch);
    multinode->scratch_bytes = (bytes + 4095) / 4096 * 4096;
    multinode->scratch = aligned_alloc(SHEAF_CACHE_LINE, multinode->scratch_bytes);
    if (!multinode->scratch)
        sheaf_fatal("SH301 %s: no memory for the %zu bytes that this collective works with across nodes",
                    sheaf_call.name, bytes);
    return multinode->scratch;
}
