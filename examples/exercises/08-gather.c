/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int mine;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    int all[256];
    CHECK(n <= 256);
    mine = me * me;
    shmem_barrier_all();
    if (me == 0) {
        for (int pe = 0; pe < n; pe++)
            shmem_get_nbi(&all[pe], &mine, 1, pe);
        shmem_quiet(); /* from here on all is complete */
        for (int pe = 0; pe < n; pe++)
            CHECK(all[pe] == pe * pe);
    }
    shmem_barrier_all();
    shmem_finalize();
}
