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

/* The span and its tables in one piece: node_of, members, place, my node's PEs, first. */
static struct sheaf_span *allocate(int size)
{
    return calloc(1, sizeof(struct sheaf_span) + (5 * (size_t)size + 1) * sizeof(int));
}

static void list_members(struct sheaf_span *span, int size, int *members, int *place, int *first)
{
    for (int node = 0; node < span->nodes; node++)
        first[node + 1] += first[node];
    for (int rank = 0; rank < size; rank++) {
        int at = first[span->node_of[rank]]++;
        members[at] = rank;
        place[rank] = at;
    }
    for (int node = span->nodes; node > 0; node--)
        first[node] = first[node - 1];
    first[0] = 0;
}

static bool is_even(const struct sheaf_span *span)
{
    for (int node = 1; node < span->nodes; node++)
        if (span->first[node + 1] - span->first[node] != span->first[1])
            return false;
    return true;
}

static void make_near(struct sheaf_team *team, struct sheaf_span *span, int *pes)
{
    int first = span->first[span->node];
    span->near = (struct sheaf_team){
        .rank = span->place[team->rank] - first,
        .size = span->first[span->node + 1] - first,
        .table = pes,
        .predefined = team->predefined,
    };
    for (int rank = 0; rank < span->near.size; rank++)
        pes[rank] = sheaf_team_world_pe(team, span->members[first + rank]);
}

int sheaf_span_make(struct sheaf_team *team)
{
    if (!is_spread(team))
        return 0;
    struct sheaf_span *span = allocate(team->size);
    if (!span)
        return -1;
    size_t size = (size_t)team->size;
    int *node_of = (int *)(span + 1), *members = node_of + size, *place = members + size,
        *pes = place + size, *first = pes + size;
    span->nodes = number_nodes(team, node_of, first);
    if (span->nodes < 0) {
        free(span);
        return -1;
    }
    span->node_of = node_of;
    span->members = members;
    span->place = place;
    span->first = first;
    span->node = node_of[team->rank];
    list_members(span, team->size, members, place, first);
    span->is_even = is_even(span);
    make_near(team, span, pes);
    team->span = span;
    return 0;
}

void sheaf_span_free(struct sheaf_team *team)
{
    if (team->span)
        free(team->span->scratch);
    free(team->span);
    team->span = NULL;
}

void *sheaf_span_scratch(struct sheaf_team *team, size_t bytes)
{
    struct sheaf_span *span = team->span;
    if (span->scratch_bytes >= bytes)
        return span->scratch;
    free(span->scratch);
    span->scratch_bytes = (bytes + 4095) / 4096 * 4096;
    span->scratch = aligned_alloc(SHEAF_CACHE_LINE, span->scratch_bytes);
    if (!span->scratch)
        sheaf_fatal("%s: no memory for the %zu bytes that this collective works with across nodes",
                    sheaf_call.name, bytes);
    return span->scratch;
}
