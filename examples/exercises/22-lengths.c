/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    /* PE p has p + 1 numbers. */
    const size_t all = (size_t)n * ((size_t)n + 1) / 2;
    long *mine = shmem_malloc((size_t)n * sizeof *mine), *joined = shmem_malloc(all * sizeof *joined);
    CHECK(mine && joined);
    for (int i = 0; i <= me; i++)
        mine[i] = 100 * me + i;
    shmem_collect(SHMEM_TEAM_WORLD, joined, mine, (size_t)me + 1);
    size_t at = 0;
    for (int pe = 0; pe < n; pe++)
        for (int i = 0; i <= pe; i++)
            CHECK(joined[at++] == 100 * pe + i);
    shmem_free(joined);
    shmem_free(mine);
    shmem_finalize();
}
