/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <stdint.h>

static long data[100];
static uint64_t arrived;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    long source[100];
    for (int i = 0; i < 100; i++)
        source[i] = me + i;
    shmem_put_signal(data, source, 100, &arrived, 1, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(&arrived, SHMEM_CMP_EQ, 1);
    for (int i = 0; i < 100; i++)
        CHECK(data[i] == before + i);
    shmem_finalize();
}
