/* SPDX-License-Identifier: BSD-3-Clause */
/* Fetching operations that are under way together; one quiet completes them. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

static long words[4]; /* symmetric */
static uint64_t bits;

int main(void)
{
    long fetched[5];
    uint64_t old[3];
    shmem_init();
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    shmem_atomic_fetch_add_nbi(&fetched[0], &words[0], 5L, next);
    shmem_atomic_fetch_inc_nbi(&fetched[1], &words[1], next);
    shmem_atomic_swap_nbi(&fetched[2], &words[2], 7L, next);
    shmem_atomic_compare_swap_nbi(&fetched[3], &words[3], 0L, 9L, next);
    shmem_atomic_fetch_or_nbi(&old[0], &bits, UINT64_C(6), next);
    shmem_quiet(); /* from here on fetched and old have their values */
    shmem_atomic_fetch_nbi(&fetched[4], &words[0], next);
    shmem_atomic_fetch_and_nbi(&old[1], &bits, UINT64_C(2), next);
    shmem_quiet();
    shmem_atomic_fetch_xor_nbi(&old[2], &bits, UINT64_C(2), next);
    shmem_quiet();
    printf("PE %d: %ld then %ld; bits %lu, %lu, %lu\n", me, fetched[0], fetched[4], (unsigned long)old[0],
           (unsigned long)old[1], (unsigned long)old[2]);
    shmem_finalize();
}
