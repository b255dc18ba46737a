/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long lock, length, list[1000];

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    CHECK(n <= 100);
    for (int i = 0; i < 10; i++) {
        shmem_set_lock(&lock);
        const long at = shmem_g(&length, 0);
        shmem_p(&list[at], 10L * me + i, 0);
        shmem_p(&length, at + 1, 0);
        shmem_clear_lock(&lock); /* completes the puts */
    }
    shmem_barrier_all();
    if (me == 0) {
        long sum = 0;
        CHECK(length == 10L * n);
        for (long i = 0; i < length; i++)
            sum += list[i];
        CHECK(sum == 10L * n * (10L * n - 1) / 2);
    }
    shmem_finalize();
}
