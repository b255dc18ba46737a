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

/* In the block. */
struct tables {
    int nodes, is_even;
    int number[]; /* node_of, members, position: one for each rank; first: one more than nodes */
};

static bool is_flat(void)
{
    return sheaf_job.settings.levels == SHEAF_LEVELS_FLAT;
}

/* The number of nodes is known only when the tables are made. */
static size_t most_nodes(const struct sheaf_team *team)
{
    int nodes = is_flat() || team->size < sheaf_boot.nodes ? team->size : sheaf_boot.nodes;
    return (size_t)nodes;
}

size_t sheaf_multinode_table_bytes(const struct sheaf_team *team)
{
    return sizeof(struct tables) + (3 * (size_t)team->size + most_nodes(team) + 1) * sizeof(int);
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

static void list_members(int nodes, int size, const int *node_of, int *members, int *position, int *first)
{
    for (int node = 0; node < nodes; node++)
        first[node + 1] += first[node];
    for (int rank = 0; rank < size; rank++) {
        int at = first[node_of[rank]]++;
        members[at] = rank;
        position[rank] = at;
    }
    for (int node = nodes; node > 0; node--)
        first[node] = first[node - 1];
    first[0] = 0;
}

static bool is_even(int nodes, const int *first)
{
    for (int node = 1; node < nodes; node++)
        if (first[node + 1] - first[node] != first[1])
            return false;
    return true;
}

int sheaf_multinode_write_tables(const struct sheaf_team *team, void *memory)
{
    struct tables *tables = memory;
    size_t size = (size_t)team->size;
    int *node_of = tables->number, *members = node_of + size, *position = members + size,
        *first = position + size;
    memset(first, 0, (most_nodes(team) + 1) * sizeof *first);
    tables->nodes = number_nodes(team, node_of, first);
    if (tables->nodes < 0)
        return -1;
    list_members(tables->nodes, team->size, node_of, members, position, first);
    tables->is_even = is_even(tables->nodes, first);
    return 0;
}

void sheaf_multinode_find_tables(struct sheaf_team *team, const void *memory)
{
    struct sheaf_multinode *multinode = team->multinode;
    const struct tables *tables = memory;
    multinode->nodes = tables->nodes;
    multinode->is_even = tables->is_even;
    multinode->node_of = tables->number;
    multinode->members = multinode->node_of + team->size;
    multinode->position = multinode->members + team->size;
    multinode->first = multinode->position + team->size;
    multinode->node = multinode->node_of[team->rank];
}

/* The team's PEs on this node, by rank. Slots are in the order of PE numbers. */
static int list_near(const struct sheaf_team *team, int *pes)
{
    int count = 0, slots = sheaf_boot.node_npes;
    if (is_flat())
        pes[count++] = sheaf_job.pe;
    else if (team->table)
        for (int rank = 0; rank < team->size; rank++) {
            if (sheaf_boot_node_of(team->table[rank]) == sheaf_boot.node)
                pes[count++] = team->table[rank];
        }
    else
        for (int i = 0; i < slots; i++) {
            int pe = sheaf_boot_pe_at(team->stride < 0 ? slots - 1 - i : i);
            if (sheaf_team_rank_in_row(team, pe) >= 0)
                pes[count++] = pe;
        }
    return count;
}

int sheaf_multinode_make(struct sheaf_team *team)
{
    if (!is_spread(team))
        return 0;
    struct sheaf_multinode *multinode =
        calloc(1, sizeof *multinode + (size_t)sheaf_boot.node_npes * sizeof(int));
    if (!multinode)
        return -1;
    int *pes = (int *)(multinode + 1);
    multinode->near = (struct sheaf_team){
        .size = list_near(team, pes),
        .table = pes,
        .predefined = team->predefined,
        .parent_team = team,
    };
    while (pes[multinode->near.rank] != sheaf_job.pe)
        multinode->near.rank++;
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
