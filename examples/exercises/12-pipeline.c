/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <stdint.h>

static long number;
static uint64_t arrived;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    if (me > 0)
        shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
    const long mine = number + 1;
    if (me < n - 1)
        shmem_put_signal(&number, &mine, 1, &arrived, 1, SHMEM_SIGNAL_SET, next);
    CHECK(mine == me + 1);
    shmem_finalize();
}
