/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"

#define N 10
static long sum, offset;

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    long values[N], prefix[N];
    for (int i = 0; i < N; i++)
        values[i] = me + i;
    sum = 0;
    for (int i = 0; i < N; i++)
        prefix[i] = sum += values[i];
    shmem_sum_exscan(SHMEM_TEAM_WORLD, &offset, &sum, 1);
    long expected = 0;
    for (int pe = 0; pe < me; pe++)
        for (int i = 0; i < N; i++)
            expected += pe + i;
    for (int i = 0; i < N; i++) {
        expected += me + i;
        CHECK(prefix[i] + offset == expected);
    }
    shmem_finalize();
}
