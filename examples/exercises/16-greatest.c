/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <stdint.h>

static uint64_t mine, most;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    const uint64_t value = (uint64_t)(me * 37 % 11);
    mine = value << 32 | (uint64_t)me;
    shmem_max_reduce(SHMEM_TEAM_WORLD, &most, &mine, 1);
    const int winner = (int)(most & UINT32_MAX);
    for (int pe = 0; pe < n; pe++)
        CHECK((uint64_t)(pe * 37 % 11) <= most >> 32);
    CHECK((uint64_t)(winner * 37 % 11) == most >> 32);
    shmem_finalize();
}
