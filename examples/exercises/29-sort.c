/* SPDX-License-Identifier: BSD-3-Clause */
#include "check.h"
#include <stdlib.h>

#define N     1000      /* keys of each PE at first */
#define RANGE (1 << 20) /* keys are below; each PE ends with those of its part of the range */

static long length, counts[2], totals[2];

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int owner_of(int key, int n)
{
    return (int)((long)key * n / RANGE);
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    int keys[N], *sorted = shmem_malloc((size_t)n * N * sizeof *sorted);
    CHECK(sorted);
    unsigned state = 1 + (unsigned)me;
    long sum = 0, sorted_sum = 0;
    for (int i = 0; i < N; i++) {
        state = state * 1103515245 + 12345;
        keys[i] = (int)(state >> 8) % RANGE;
        sum += keys[i];
    }
    qsort(keys, N, sizeof *keys, compare); /* the keys of one owner now stand together */
    for (int first = 0, last; first < N; first = last) {
        const int owner = owner_of(keys[first], n);
        for (last = first; last < N && owner_of(keys[last], n) == owner;)
            last++;
        const long at = shmem_atomic_fetch_add(&length, (long)(last - first), owner); /* room for them there */
        shmem_put(&sorted[at], &keys[first], (size_t)(last - first), owner);
    }
    shmem_barrier_all();
    qsort(sorted, (size_t)length, sizeof *sorted, compare);

    for (long i = 0; i < length; i++) {
        CHECK(owner_of(sorted[i], n) == me && (i == 0 || sorted[i - 1] <= sorted[i]));
        sorted_sum += sorted[i];
    }
    counts[0] = length; /* no key is lost, none is there twice */
    counts[1] = sorted_sum - sum;
    shmem_sum_reduce(SHMEM_TEAM_WORLD, totals, counts, 2);
    CHECK(totals[0] == (long)N * n && totals[1] == 0);
    shmem_free(sorted);
    shmem_finalize();
}
