/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives as they were before teams: deprecated since 1.5. A set is a first PE, a distance as a
 * power of two, and a number of PEs; pSync and pWrk are symmetric. */
#define SHMEM_NO_DEPRECATED
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

static long pSync[SHMEM_SYNC_SIZE], sum, mine, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long *all = shmem_calloc((size_t)n, 2 * sizeof *all), *out = shmem_calloc((size_t)n, 2 * sizeof *out);
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        pSync[i] = SHMEM_SYNC_VALUE;
    mine = me;
    shmem_barrier_all(); /* pSync is set on all PEs */
    shmem_long_sum_to_all(&sum, &mine, 1, 0, 0, n, work, pSync);
    shmem_barrier(0, 0, n, pSync);
    shmem_fcollect64(all, &mine, 1, 0, 0, n, pSync);
    shmem_sync(0, 0, n, pSync);
    shmem_alltoall64(out, all, 1, 0, 0, n, pSync);
    shmem_sync(0, 0, n, pSync);
    shmem_alltoalls64(out, all, 2, 1, 1, 0, 0, n, pSync);
    shmem_sync(0, 0, n, pSync);
    shmem_collect64(all, &mine, 1, 0, 0, n, pSync);
    shmem_sync(0, 0, n, pSync);
    shmem_broadcast64(out, all, 1, 0, 0, 0, n, pSync); /* dest of the root stays as it is */
    printf("PE %d: sum %ld, last %ld\n", me, sum, all[n - 1]);
    shmem_finalize();
}
