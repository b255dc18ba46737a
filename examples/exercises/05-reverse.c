/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#define N 8
static int part[N], reversed[N];

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    int from_the_end[N];
    for (int i = 0; i < N; i++)
        part[i] = N * me + i;
    for (int i = 0; i < N; i++)
        from_the_end[i] = part[N - 1 - i];
    shmem_put(reversed, from_the_end, N, n - 1 - me);
    shmem_barrier_all();
    for (int i = 0; i < N; i++)
        CHECK(reversed[i] == N * n - 1 - (N * me + i));
    shmem_finalize();
}
