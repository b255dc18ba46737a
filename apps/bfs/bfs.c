/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breadth-first search of a hypercube, or of a Kronecker graph as Graph500 has it. See README.md.
 */
#include "app.h"
#include "graph500.h"
#include "hypercube.h"
#include "way.h"

static int run(int argc, char **argv)
{
    int which = 0;
    long dimension = 14;
    struct graph500 kronecker = {.scale = 16, .edges = 16, .roots = 8, .seed = 1, .way = WAY_NBI};
    const struct app_option options[] = {
        {"--graph", APP_CHOICE, &which, "what is searched", 0, 0, "hypercube|kronecker"},
        {"--dimension", APP_COUNT, &dimension, "of the hypercube, which has 2^dimension corners", 0, 40,
         NULL},
        {"--scale", APP_COUNT, &kronecker.scale, "of the Kronecker graph, which has 2^scale vertices", 1,
         32, NULL},
        {"--edges", APP_COUNT, &kronecker.edges, "of the Kronecker graph, for each vertex", 1, 1024, NULL},
        {"--roots", APP_COUNT, &kronecker.roots,
         "from which the Kronecker graph is searched, one after the other", 1, GRAPH500_ROOTS_MOST, NULL},
        {"--seed", APP_COUNT, &kronecker.seed, "of the Kronecker graph", 0, 1e6, NULL},
        WAY_OPTION(&kronecker.way),
        {.kind = APP_END}};
    int status = app_start(argc, argv, "Searches a graph breadth first.", options);
    if (status != APP_RUN)
        return status;
    return which == 0 ? hypercube_search((int)dimension) : graph500_run(&kronecker);
}

int main(int argc, char **argv)
{
    shmem_init();
    int status = run(argc, argv);
    shmem_finalize();
    return status;
}
