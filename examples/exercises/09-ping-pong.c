/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int ball;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    if (n >= 2 && me < 2) {
        const int other = 1 - me;
        for (int i = 1; i <= 100; i++) {
            if (me == 0)
                shmem_p(&ball, i, other);
            shmem_wait_until(&ball, SHMEM_CMP_GE, i);
            if (me == 1)
                shmem_p(&ball, i, other);
        }
        CHECK(ball == 100);
    }
    shmem_barrier_all();
    shmem_finalize();
}
