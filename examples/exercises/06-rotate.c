/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int inbox;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    int value = me;
    for (int step = 0; step < n; step++) {
        shmem_p(&inbox, value, next);
        shmem_barrier_all(); /* written */
        value = inbox;
        shmem_barrier_all(); /* read */
    }
    CHECK(value == me);
    shmem_finalize();
}
