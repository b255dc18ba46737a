/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static int mine;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), before = (me + n - 1) % n;
    mine = 10 * me;
    shmem_barrier_all(); /* everybody has written mine */
    CHECK(shmem_g(&mine, before) == 10 * before);
    shmem_finalize();
}
