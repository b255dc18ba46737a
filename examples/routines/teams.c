/* SPDX-License-Identifier: BSD-3-Clause */
/* Every second PE; rows and columns of a grid; any PEs in any order. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

int main(void)
{
    shmem_team_t even, row, column, reversed;
    shmem_team_config_t config = {.num_contexts = 1};
    int order[64], numbers[64];
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &even);
    if (even != SHMEM_TEAM_INVALID) { /* the PEs that were left out */
        shmem_team_get_config(even, SHMEM_TEAM_NUM_CONTEXTS, &config);
        printf("PE %d is %d of %d even ones, and %d in the world\n", me, shmem_team_my_pe(even), shmem_team_n_pes(even),
               shmem_team_translate_pe(even, shmem_team_my_pe(even), SHMEM_TEAM_WORLD));
        shmem_team_destroy(even);
    }
    shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column); /* rows of two */

    for (int i = 0; i < n; i++)
        order[i] = n - 1 - i;
    if (shmemx_team_from_pes(SHMEM_TEAM_WORLD, order, n, NULL, 0, &reversed) != 0)
        shmem_global_exit(1);
    shmemx_team_exchange(reversed, &me, sizeof me, numbers);
    printf("PE %d: row of %d, column of %d, first of the reversed ones is %d\n", me, shmem_team_n_pes(row),
           shmem_team_n_pes(column), numbers[0]);
    shmem_team_destroy(reversed);
    shmem_team_destroy(column);
    shmem_team_destroy(row);
    shmem_finalize();
}
