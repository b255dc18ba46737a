/* SPDX-License-Identifier: BSD-3-Clause
 * See circle.h.
 */
#include "snapshot/circle.h"

#include <stdlib.h>

/* Members by node, and in one by rank: those of node n from start[n] on to start[n + 1]. */
struct order {
    int *start, *members;
};

static void sort(struct order *order, const int *node, int size, int nodes)
{
    for (int rank = 0; rank < size; rank++)
        order->start[node[rank] + 1]++;
    for (int n = 0; n < nodes; n++)
        order->start[n + 1] += order->start[n];
    for (int rank = size - 1; rank >= 0; rank--)
        order->members[--order->start[node[rank] + 1]] = rank;
    for (int n = 0; n < nodes; n++)
        order->start[n] = order->start[n + 1];
    order->start[nodes] = size;
}

static int count_of(const struct order *order, int node)
{
    return order->start[node + 1] - order->start[node];
}

static void pair(struct sheaf_circle *circle, const struct order *order, int node, int next)
{
    const int *here = order->members + order->start[node], *there = order->members + order->start[next];
    for (int place = 0; place < count_of(order, node); place++) {
        circle->leader[here[place]] = here[0];
        circle->buddy[here[place]] = there[place % count_of(order, next)];
    }
}

/* From the last node down: next is the one behind that has members, behind the last one the first. */
static void pair_all(struct sheaf_circle *circle, const struct order *order, int nodes)
{
    int next = 0;
    while (count_of(order, next) == 0)
        next++;
    for (int node = nodes - 1; node >= 0; node--)
        if (count_of(order, node) > 0) {
            pair(circle, order, node, next);
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
    struct order order = {.start = calloc((size_t)nodes + 1 + (size_t)size, sizeof *order.start)};
    *circle = (struct sheaf_circle){.leader = calloc(3 * (size_t)size, sizeof *circle->leader)};
    if (!order.start || !circle->leader) {
        free(order.start);
        free(circle->leader);
        return -1;
    }
    order.members = order.start + nodes + 1;
    circle->buddy = circle->leader + size;
    circle->leaders = circle->buddy + size;
    sort(&order, node, size, nodes);
    pair_all(circle, &order, nodes);
    list_leaders(circle, size);
    free(order.start);
    return 0;
}
