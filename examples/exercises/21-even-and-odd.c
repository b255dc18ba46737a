/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int one = 1, count;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_t even, odd = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &even);
    if (n > 1)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, n / 2, NULL, 0, &odd);
    shmem_team_t mine = me % 2 == 0 ? even : odd;
    shmem_sum_reduce(mine, &count, &one, 1);
    CHECK(count == (me % 2 == 0 ? (n + 1) / 2 : n / 2));
    CHECK(shmem_team_my_pe(mine) == me / 2);
    shmem_team_destroy(mine);
    shmem_finalize();
}
