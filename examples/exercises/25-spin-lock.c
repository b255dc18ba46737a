/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int owner = -1; /* on PE 0 counts */
static long total;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 50; i++) {
        while (shmem_atomic_compare_swap(&owner, -1, me, 0) != -1)
            ;
        shmem_p(&total, shmem_g(&total, 0) + 1, 0);
        shmem_quiet(); /* before the lock is open again */
        shmem_atomic_set(&owner, -1, 0);
        shmem_quiet();
    }
    shmem_barrier_all();
    if (me == 0)
        CHECK(total == 50L * n);
    shmem_finalize();
}
