/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communication makes progress into a PE that computes and calls nothing: its neighbour's puts,
 * gets and atomics finish meanwhile.
 */
#include "check.h"

#include <time.h>

enum { LIMIT_S = 40, TIMES = 100 };

static volatile long computing;
static volatile long done;
static long counter;
static long data[TIMES];

/* No library call in here until the neighbour says that it is through. */
static double compute(void)
{
    const time_t start = time(NULL);
    double sum = 0;
    computing = 1;
    for (uint64_t i = 1; !done; i++) {
        sum += 1.0 / (double)i;
        if (i % 1000000 == 0 && time(NULL) - start > LIMIT_S)
            break;
    }
    return sum;
}

static void communicate(int pe)
{
    const time_t start = time(NULL);
    while (shmem_long_g((const long *)&computing, pe) == 0)
        CHECK(time(NULL) - start <= LIMIT_S);
    for (int i = 0; i < TIMES; i++) {
        CHECK_EQ(shmem_long_atomic_fetch_inc(&counter, pe), i);
        shmem_long_p(&data[i], i + 1, pe);
        shmem_quiet();
        CHECK_EQ(shmem_long_g(&data[i], pe), i + 1);
    }
    shmem_long_p((long *)&done, 1, pe);
    shmem_quiet();
}

int main(void)
{
    shmem_init();
    const int me = shmem_my_pe();
    const int n = shmem_n_pes();
    const int partner = me ^ 1;
    if (partner >= n)
        return test_finish();
    if (me % 2)
        communicate(partner);
    else
        CHECK(compute() >= 0);
    if (me % 2 == 0) {
        CHECK_EQ(done, 1);
        for (int i = 0; i < TIMES; i++)
            CHECK_EQ(data[i], i + 1);
    }
    return test_finish();
}
