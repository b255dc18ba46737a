/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job that does not hang, and of which PEs are late again and again. Arguments: ROUNDS, and the
 * milliseconds that a PE is late at most.
 */
#include "random.h"

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long gate, value, copy;

/* Half of the late ones compute, the others sleep. */
static void be_late(uint64_t *mine, long most)
{
    long ns = (long)test_random_below(mine, (uint64_t)most * 1000000 + 1);
    struct timespec now, end = {0, ns};
    if (test_random(mine) % 2) {
        nanosleep(&end, NULL);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - end.tv_sec) * 1000000000 + now.tv_nsec - end.tv_nsec < ns);
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), all = shmem_n_pes();
    long rounds = argc > 1 ? atol(argv[1]) : 10, most = argc > 2 ? atol(argv[2]) : 10;
    uint64_t shared = 1, mine = 2 + (uint64_t)me;
    for (long round = 0; round < rounds; round++) {
        int late = (int)test_random_below(&shared, (uint64_t)all);
        if (late == me)
            be_late(&mine, most);
        if (test_random(&shared) % 3 == 0) {
            shmem_set_lock(&gate);
            if (late == me)
                be_late(&mine, most);
            shmem_clear_lock(&gate);
        }
        if (test_random(&shared) % 2)
            shmem_long_broadcast(SHMEM_TEAM_WORLD, &copy, &value, 1, late);
        else
            shmem_barrier_all();
    }
    shmem_barrier_all();
    if (me == 0)
        printf("%ld rounds\n", rounds);
    shmem_finalize();
    return 0;
}
