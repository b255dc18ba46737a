/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int got = -1;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    shmem_p(&got, me, next);
    shmem_barrier_all();
    CHECK(got == before);
    shmem_finalize();
}
