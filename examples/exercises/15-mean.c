/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static double mine, sum;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    mine = me;
    shmem_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
    CHECK(sum / n == (n - 1) / 2.0);
    shmem_finalize();
}
