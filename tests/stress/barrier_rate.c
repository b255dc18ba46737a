/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 10,000 barriers of all PEs, many more PEs than cores. The requirement is 2 s for 32 PEs on two
 * cores; the test allows far more, and prints what it took.
 */
#include "check.h"

#include <time.h>

#define BARRIERS 10000
#define BOUND    10.0

static long entered;

int main(void)
{
    struct timespec start, end;
    shmem_init();
    int me = shmem_my_pe(), npes = shmem_n_pes();
    shmem_barrier_all();
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < BARRIERS; i++)
        shmem_barrier_all();
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    shmem_long_atomic_inc(&entered, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("%d PEs, %d barriers: %.3f s\n", npes, BARRIERS, seconds);
    CHECK_EQ(shmem_long_g(&entered, 0), npes);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK(seconds < BOUND);
#endif
    return test_finish();
}
