/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#define N 1000
static long inbox[N];

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    long data[N];
    for (int i = 0; i < N; i++)
        data[i] = 1000L * me + i;
    shmem_put(inbox, data, N, next);
    shmem_barrier_all();
    for (int i = 0; i < N; i++)
        CHECK(inbox[i] == 1000L * before + i);
    shmem_finalize();
}
