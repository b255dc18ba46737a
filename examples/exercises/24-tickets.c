/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long tickets, taken[10000];

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    CHECK(n <= 100);
    for (int i = 0; i < 100; i++)
        shmem_atomic_inc(&taken[shmem_atomic_fetch_inc(&tickets, 0)], 0);
    shmem_barrier_all();
    if (me == 0)
        for (int i = 0; i < 100 * n; i++)
            CHECK(taken[i] == 1);
    shmem_finalize();
}
