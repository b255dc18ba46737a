/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

static long least = 1000000;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    const long mine = 500 + (me * 37) % 101;
    long seen = shmem_atomic_fetch(&least, 0);
    while (mine < seen) {
        const long was = shmem_atomic_compare_swap(&least, seen, mine, 0);
        if (was == seen)
            break;
        seen = was;
    }
    shmem_barrier_all();
    long expected = 1000000;
    for (int pe = 0; pe < n; pe++)
        expected = 500 + (pe * 37) % 101 < expected ? 500 + (pe * 37) % 101 : expected;
    CHECK(shmem_atomic_fetch(&least, 0) == expected);
    shmem_finalize();
}
