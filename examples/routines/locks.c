/* SPDX-License-Identifier: BSD-3-Clause */
/* One PE at a time: a lock is a symmetric long that begins as 0. */
#include <shmem.h>
#include <stdio.h>

static long lock, total; /* symmetric */

int main(void)
{
    shmem_init();
    shmem_set_lock(&lock);
    shmem_p(&total, shmem_g(&total, 0) + 1, 0); /* read and write on PE 0: no other PE comes between */
    shmem_clear_lock(&lock);                    /* completes the put first */

    if (shmem_test_lock(&lock) == 0)            /* 0: it is ours; 1: another PE has it */
        shmem_clear_lock(&lock);
    shmem_barrier_all();
    if (shmem_my_pe() == 0)
        printf("%ld PEs were here\n", total);
    shmem_finalize();
}
