/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A C++ program as old ones are written: the header inside extern "C", volatile variables where
 * specification 1.3 had them, names of before 1.2, and beside them the overloads of today.
 */
extern "C" {
#include <mpp/shmem.h>
}
#include "check.h"

#include <complex>

static volatile long flag, lock;
static volatile int small_flag;
static long shared_count;
static std::complex<double> terms[2], sums[2];

int main()
{
    start_pes(0);
    const int me = _my_pe(), npes = _num_pes(), next = (me + 1) % npes;

    shmem_p(const_cast<long *>(&flag), 1, next);
    shmem_int_p(const_cast<int *>(&small_flag), 2, next);
    shmem_wait(&flag, 0);
    shmem_wait_until(&flag, _SHMEM_CMP_EQ, 1);
    shmem_int_wait_until(&small_flag, _SHMEM_CMP_GT, 1);
    shmem_wait_until(&small_flag, _SHMEM_CMP_GT, 1);
    CHECK(shmem_test(&flag, _SHMEM_CMP_EQ, 1));
    CHECK_EQ(flag, 1);
    CHECK_EQ(small_flag, 2);

    for (int i = 0; i < 100; i++) {
        shmem_set_lock(&lock);
        shmem_long_p(&shared_count, shmem_long_g(&shared_count, 0) + 1, 0);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    CHECK_EQ(shmem_g(&shared_count, 0), 100 * npes);

    long *block = static_cast<long *>(shmalloc(sizeof(long)));
    CHECK(block != nullptr);
    *block = me;
    shmem_barrier_all();
    CHECK_EQ(shmem_g(SHMEM_CTX_DEFAULT, block, next), next);
    shmem_barrier_all();
    shfree(block);

    terms[0] = {me + 1.0, -1.0};
    terms[1] = {0.5, me * 2.0};
    shmem_sync(SHMEM_TEAM_WORLD);
    CHECK_EQ(shmem_sum_reduce(SHMEM_TEAM_WORLD, sums, terms, 2), 0);
    const double n = npes;
    CHECK(sums[0] == std::complex<double>(n * (n + 1) / 2, -n));
    CHECK(sums[1] == std::complex<double>(n / 2, n * (n - 1)));
    return 0;
}
