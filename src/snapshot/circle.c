/* SPDX-License-Identifier: BSD-3-Clause
 * See circle.h.
 */
#include "snapshot/circle.h"

#include <stdlib.h>

/* The members by node, and within a node by rank: those of node n are members[start[n]] to
 * members[start[n + 1] - 1]. */
struct by_node {
    int *start, *members;
};

static void sort_members(struct by_node *by_node, const int *node, int size, int nodes)
{
    for (int rank = 0; rank < size; rank++)
        by_node->start[node[rank] + 1]++;
    for (int n = 0; n < nodes; n++)
        by_node->start[n + 1] += by_node->start[n];
    for (int rank = size - 1; rank >= 0; rank--)
        by_node->members[--by_node->start[node[rank] + 1]] = rank;
    for (int n = 0; n < nodes; n++)
        by_node->start[n] = by_node->start[n + 1];
    by_node->start[nodes] = size;
}

static int count_of(const struct by_node *by_node, int node)
{
    return by_node->start[node + 1] - by_node->start[node];
}

static void pair_hosts(struct sheaf_circle *circle, const struct by_node *by_node, int node, int next)
{
    const int *here = by_node->members + by_node->start[node];
    const int *there = by_node->members + by_node->start[next];
    for (int position = 0; position < count_of(by_node, node); position++) {
        circle->leader[here[position]] = here[0];
        circle->buddy[here[position]] = there[position % count_of(by_node, next)];
    }
}

/* Goes from the last node down. next is the following node that has members, cyclically. */
static void pair_all_hosts(struct sheaf_circle *circle, const struct by_node *by_node, int nodes)
{
    int next = 0;
    while (count_of(by_node, next) == 0)
        next++;
    for (int node = nodes - 1; node >= 0; node--)
        if (count_of(by_node, node) > 0) {
            pair_hosts(circle, by_node, node, next);
            next = node;
        }
}

static void list_leaders(struct sheaf_circle *circle, int size)
{
    for (int rank = 0; rank < size; rank++)
        if (circle->leader[rank] == rank)
            circle->leaders[circle->hosts++] = rank;
}

int sheaf_circle_make(struct sheaf_circle *circle, const int *node, int size, int nodes)
{
    struct by_node by_node = {.start = calloc((size_t)nodes + 1 + (size_t)size, sizeof *by_node.start)};
    *circle = (struct sheaf_circle){.leader = calloc(3 * (size_t)size, sizeof *circle->leader)};
    if (!by_node.start || !circle->leader) {
        free(by_node.start);
        free(circle->leader);
        return -1;
    }
    by_node.members = by_node.start + nodes + 1;
    circle->buddy = circle->leader + size;
    circle->leaders = circle->buddy + size;
    sort_members(&by_node, node, size, nodes);
    pair_all_hosts(circle, &by_node, nodes);
    list_leaders(circle, size);
    free(by_node.start);
    return 0;
}
