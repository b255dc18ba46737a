/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#define N 100
static double part, whole;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    double a[N], b[N];
    for (int i = 0; i < N; i++) {
        a[i] = N * me + i;
        b[i] = 2;
    }
    part = 0;
    for (int i = 0; i < N; i++)
        part += a[i] * b[i];
    shmem_sum_reduce(SHMEM_TEAM_WORLD, &whole, &part, 1);
    CHECK(whole == (double)(N * n) * (N * n - 1));
    shmem_finalize();
}
