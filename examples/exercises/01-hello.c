/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++) {
        if (pe == me) {
            printf("PE %d of %d\n", me, n);
            fflush(stdout);
        }
        shmem_barrier_all();
    }
    shmem_finalize();
}
