/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <stdint.h>

static uint64_t bits;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    CHECK(n <= 64);
    const uint64_t all = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
    for (int pe = 0; pe < n; pe++)
        shmem_atomic_or(&bits, UINT64_C(1) << me, pe);
    shmem_wait_until(&bits, SHMEM_CMP_EQ, all);
    CHECK(bits == all);
    shmem_barrier_all();
    shmem_finalize();
}
