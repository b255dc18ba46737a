/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    /* A matrix of n rows and n columns: row me is here. */
    int *row = shmem_malloc((size_t)n * sizeof *row), *column = shmem_malloc((size_t)n * sizeof *column);
    CHECK(row && column);
    for (int j = 0; j < n; j++)
        row[j] = 1000 * me + j;
    shmem_alltoall(SHMEM_TEAM_WORLD, column, row, 1);
    for (int i = 0; i < n; i++)
        CHECK(column[i] == 1000 * i + me);
    shmem_free(column);
    shmem_free(row);
    shmem_finalize();
}
