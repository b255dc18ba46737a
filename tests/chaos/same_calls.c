/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that makes the same calls in every run, for settings.sh.
 */
#include "check.h"

int main(void)
{
    static long words[100];
    shmem_init();
    const int next = (shmem_my_pe() + 1) % shmem_n_pes();
    for (long i = 0; i < 100; i++)
        shmem_long_p(&words[i], i, next);
    shmem_barrier_all();
    for (long i = 0; i < 100; i++)
        CHECK_EQ(words[i], i);
    return test_finish();
}
