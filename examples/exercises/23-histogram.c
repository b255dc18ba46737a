/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#define BINS 10
static long bins[BINS];

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 1000; i++)
        shmem_atomic_inc(&bins[(i * 7 + me) % BINS], 0);
    shmem_barrier_all();
    if (me == 0)
        for (int i = 0; i < BINS; i++)
            CHECK(bins[i] == 100L * n);
    shmem_finalize();
}
