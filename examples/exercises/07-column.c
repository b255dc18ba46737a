/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#define N 5
static double row[N];

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    double matrix[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            matrix[i][j] = 100 * me + 10 * i + j;
    shmem_iput(row, &matrix[0][2], 1, N, N, next);
    shmem_barrier_all();
    for (int i = 0; i < N; i++)
        CHECK(row[i] == 100 * before + 10 * i + 2);
    shmem_finalize();
}
