/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long come, round_over, inbox;

/* id: another one in each call. */
static void my_barrier(long id)
{
    const int n = shmem_n_pes();
    shmem_quiet();
    if (shmem_atomic_fetch_inc(&come, 0) == n - 1) {
        shmem_atomic_set(&come, 0L, 0);
        shmem_quiet();
        for (int pe = 0; pe < n; pe++)
            shmem_atomic_set(&round_over, id, pe);
    }
    shmem_wait_until(&round_over, SHMEM_CMP_EQ, id);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    for (long round = 1; round <= 50; round++) {
        shmem_p(&inbox, round, next);
        my_barrier(round);
        CHECK(inbox == round);
        my_barrier(-round); /* nobody writes the next number before all have looked */
    }
    shmem_finalize();
}
