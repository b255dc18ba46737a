/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#define MOST 256
static int here[MOST];

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    CHECK(n <= MOST);
    shmem_p(&here[me], 1, 0);
    shmem_barrier_all();
    if (me == 0) {
        int count = 0;
        for (int pe = 0; pe < MOST; pe++)
            count += here[pe];
        printf("%d PEs are here\n", count);
        CHECK(count == n);
    }
    shmem_finalize();
}
