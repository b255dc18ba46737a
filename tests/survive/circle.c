/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who leads a host and who keeps whose copy, beside the definition of both, on placements drawn at random; and
 * on 64 Ki PEs, which take no time unless steps grow with pairs of them.
 */
#include "snapshot/circle.h"

#include "random.h"
#include "../units/unit.h"


#define MOST 200

/* The next node that has members, in a circle. */
static int node_after(const int *node, int size, int from)
{
    int next = -1, lowest = from;
    for (int rank = 0; rank < size; rank++) {
        if (node[rank] > from && (next < 0 || node[rank] < next))
            next = node[rank];
        lowest = node[rank] < lowest ? node[rank] : lowest;
    }
    return next < 0 ? lowest : next;
}

static int nth_of(const int *node, int size, int which, int place)
{
    for (int rank = 0; rank < size; rank++)
        if (node[rank] == which && place-- == 0)
            return rank;
    return -1;
}

static int count_of(const int *node, int before, int which)
{
    int count = 0;
    for (int rank = 0; rank < before; rank++)
        count += node[rank] == which;
    return count;
}

static void compare(const int *node, int size, int nodes)
{
    struct sheaf_circle circle;
    CHECK(sheaf_circle_make(&circle, node, size, nodes) == 0);
    int led = 0;
    for (int rank = 0; rank < size; rank++) {
        int next = node_after(node, size, node[rank]), place = count_of(node, rank, node[rank]);
        CHECK(circle.leader[rank] == nth_of(node, size, node[rank], 0));
        CHECK(circle.buddy[rank] == nth_of(node, size, next, place % count_of(node, size, next)));
        if (circle.leader[rank] == rank)
            CHECK(circle.leaders[led++] == rank);
    }
    CHECK(circle.hosts == led);
    free(circle.leader);
}

static void is_quick(void)
{
    enum { PES = 1 << 16, HOSTS = 1 << 12 };
    int *node = malloc(PES * sizeof *node);
    struct sheaf_circle circle;
    for (int rank = 0; rank < PES; rank++)
        node[rank] = rank % HOSTS;
    CHECK(sheaf_circle_make(&circle, node, PES, HOSTS) == 0);
    CHECK(circle.hosts == HOSTS && circle.buddy[HOSTS - 1] == 0 && circle.buddy[PES - 2] == PES - 1);
    free(circle.leader);
    free(node);
}

int main(void)
{
    uint64_t seed = 1;
    int node[MOST];
    for (int round = 0; round < 500; round++) {
        int size = 1 + (int)test_random_below(&seed, MOST), nodes = 1 + (int)test_random_below(&seed, 40);
        for (int rank = 0; rank < size; rank++)
            node[rank] = (int)test_random_below(&seed, (uint64_t)nodes);
        compare(node, size, nodes);
    }
    is_quick();
    return 0;
}
