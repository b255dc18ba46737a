/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int mine, of_row, of_column;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_t row, column;
    const int width = 2;
    mine = me;
    shmem_team_split_2d(SHMEM_TEAM_WORLD, width, NULL, 0, &row, NULL, 0, &column);
    shmem_sum_reduce(row, &of_row, &mine, 1);
    shmem_sum_reduce(column, &of_column, &mine, 1);
    int row_sum = 0, column_sum = 0;
    for (int pe = 0; pe < n; pe++) {
        row_sum += pe / width == me / width ? pe : 0;
        column_sum += pe % width == me % width ? pe : 0;
    }
    CHECK(of_row == row_sum && of_column == column_sum);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    shmem_finalize();
}
