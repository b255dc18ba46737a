/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What sends structures and small operands between far PEs, for valgrind to look at; and a heap of 40 MiB.
 */
#include "check.h"

#include <shmemx.h>

int main(void)
{
    static int sum[3], ones[3] = {1, 1, 1}, all[64];
    shmem_team_t halves = SHMEM_TEAM_INVALID, listed = SHMEM_TEAM_INVALID;
    shmem_init();
    int npes = shmem_n_pes(), pes[2] = {1, 0};
    CHECK(shmem_malloc((size_t)40 << 20) != NULL);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &halves) == 0);
    CHECK(npes < 2 || shmemx_team_from_pes(SHMEM_TEAM_WORLD, pes, 2, NULL, 0, &listed) == 0);
    CHECK(shmem_int_sum_reduce(halves, sum, ones, 3) == 0 && sum[2] == npes);
    CHECK(shmem_int_fcollect(SHMEM_TEAM_WORLD, all, ones, 3) == 0 && all[3 * npes - 1] == 1);
    shmem_team_destroy(halves);
    return test_finish();
}
