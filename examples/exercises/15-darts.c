/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <stdint.h>

static long hits, all_hits;

/* A number from 0 to 1, by the generator xorshift. */
static double number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 9007199254740992.0;
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    const long darts = 200000;
    uint64_t state = 88172645463325252u + (uint64_t)me;
    for (long i = 0; i < darts; i++) {
        const double x = number(&state), y = number(&state);
        hits += x * x + y * y < 1;
    }
    shmem_sum_reduce(SHMEM_TEAM_WORLD, &all_hits, &hits, 1);
    const double pi = 4.0 * (double)all_hits / (double)(darts * n);
    CHECK(pi > 3.12 && pi < 3.16);
    if (me == 0)
        printf("pi is about %.4f\n", pi);
    shmem_finalize();
}
