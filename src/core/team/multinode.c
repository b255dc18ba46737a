/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See multinode.h. How the parts of a team meet is in multinode_sync.c.
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

/* Which node, or, without levels, which PE. */
static int home_of(const struct sheaf_team *team, int rank)
{
    int pe = sheaf_team_world_pe(team, rank);
    return sheaf_job.settings.levels == SHEAF_LEVELS_FLAT ? pe : sheaf_boot_node_of(pe);
}

/* Numbers the nodes by their lowest ranks, and counts their members in first[node + 1]. Returns how
 * many there are, or -1 without memory. */
static int number_nodes(const struct sheaf_team *team, int *node_of, int *first)
{
    int homes = sheaf_job.npes > sheaf_boot.nodes ? sheaf_job.npes : sheaf_boot.nodes, nodes = 0;
    int *number = calloc((size_t)homes, sizeof *number); /* plus 1; 0: not seen */
    if (!number)
        return -1;
    for (int rank = 0; rank < team->size; rank++) {
        int home = home_of(team, rank);
        if (number[home] == 0)
            number[home] = ++nodes;
        node_of[rank] = number[home] - 1;
        first[number[home]]++;
    }
    free(number);
    return nodes;
}

/* The struct and its tables in one piece: node_of, members, place, my node's PEs, first. */
static struct sheaf_multinode *allocate(int size)
{
    return calloc(1, sizeof(struct sheaf_multinode) + (5 * (size_t)size + 1) * sizeof(int));
}

static void list_members(struct sheaf_multinode *multinode, int size, int *members, int *place, int *first)
{
    for (int node = 0; node < multinode->nodes; node++)
        first[node + 1] += first[node];
    for (int rank = 0; rank < size; rank++) {
        int at = first[multinode->node_of[rank]]++;
        members[at] = rank;
        place[rank] = at;
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
        .rank = multinode->place[team->rank] - first,
        .size = multinode->first[multinode->node + 1] - first,
        .table = pes,
        .predefined = team->predefined,
        .whole = team,
    };
    for (int rank = 0; rank < multinode->near.size; rank++)
        pes[rank] = sheaf_team_world_pe(team, multinode->members[first + rank]);
}

int sheaf_multinode_make(struct sheaf_team *team)
{
    if (!is_spread(team))
        return 0;
    struct sheaf_multinode *multinode = allocate(team->size);
    if (!multinode)
        return -1;
    size_t size = (size_t)team->size;
    int *node_of = (int *)(multinode + 1), *members = node_of + size, *place = members + size,
        *pes = place + size, *first = pes + size;
    multinode->nodes = number_nodes(team, node_of, first);
    if (multinode->nodes < 0) {
        free(multinode);
        return -1;
    }
    multinode->node_of = node_of;
    multinode->members = members;
    multinode->place = place;
    multinode->first = first;
    multinode->node = node_of[team->rank];
    list_members(multinode, team->size, members, place, first);
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
