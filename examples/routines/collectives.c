/* SPDX-License-Identifier: BSD-3-Clause */
/* Every PE of a team makes the call; dest and source are symmetric. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long root[2] = {7, 8}, here[2], mine; /* symmetric */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long *all = shmem_malloc((size_t)n * sizeof *all), *out = shmem_calloc((size_t)n, 2 * sizeof *out);
    mine = 10 * me;
    shmem_sync_all();                                         /* stores are visible, puts may be under way */
    shmem_broadcast(SHMEM_TEAM_WORLD, here, root, 2, 0);      /* from PE 0 to all */
    shmem_fcollect(SHMEM_TEAM_WORLD, all, &mine, 1);          /* one number of each, in order */
    shmem_alltoall(SHMEM_TEAM_WORLD, out, all, 1);            /* element i to PE i */
    shmem_sync(SHMEM_TEAM_WORLD);
    shmem_alltoalls(SHMEM_TEAM_WORLD, out, all, 2, 1, 1);     /* to every other place of out */
    shmem_sync(SHMEM_TEAM_WORLD);
    shmem_collect(SHMEM_TEAM_WORLD, all, &mine, me == 0 ? 1 : 0); /* a number of its own of each PE */
    printf("PE %d: %ld %ld %ld\n", me, here[0], all[0], out[2 * (n - 1)]);
    shmem_barrier_all();                                      /* puts are complete, too */
    shmem_finalize();
}
