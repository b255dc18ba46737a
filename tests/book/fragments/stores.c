/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fragment of docs/do/spaces.md: a store for each provider of atomic operations, where the network is one.
 */
#include <shmemx.h>

#include "check.h"

static void count(shmem_team_t team, size_t size)
{
    shmemx_space_t processors, network;
    shmemx_space_create(team, "default", size, &processors);
    if (shmemx_space_create(team, "atomics:network", size, &network) != 0)
        network = processors;   /* the network has none, and a line has said so */
    long *counter = shmemx_space_calloc(network, 1, sizeof *counter);
    shmem_long_atomic_add(counter, 1, 0);
    shmem_barrier_all();
    CHECK_EQ(shmem_long_atomic_fetch(counter, 0), shmem_n_pes());
    if (network != processors)
        shmemx_space_destroy(network);
    shmemx_space_destroy(processors);
}

int main(void)
{
    shmem_init();
    count(SHMEM_TEAM_WORLD, 4096);
    if (shmem_my_pe() == 0)
        puts("counted");
    shmem_finalize();
    return 0;
}
