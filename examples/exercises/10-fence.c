/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long data[100], flag;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    long source[100];
    for (int i = 0; i < 100; i++)
        source[i] = me + i;
    shmem_put_nbi(data, source, 100, next);
    shmem_fence();
    shmem_p(&flag, 1L, next);
    shmem_wait_until(&flag, SHMEM_CMP_EQ, 1L);
    for (int i = 0; i < 100; i++)
        CHECK(data[i] == before + i);
    shmem_barrier_all(); /* completes the put before source goes away */
    shmem_finalize();
}
