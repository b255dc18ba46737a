/* SPDX-License-Identifier: BSD-3-Clause */
/* Operations that no other PE's operation comes between, on words of PE 0. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

static long counter, owner = -1, tickets; /* symmetric */
static uint64_t bits;

int main(void)
{
    shmem_init();
    long me = shmem_my_pe();
    shmem_atomic_add(&counter, me, 0);
    shmem_atomic_inc(&counter, 0);
    long before = shmem_atomic_fetch_add(&counter, 0L, 0);
    long ticket = shmem_atomic_fetch_inc(&tickets, 0);
    long was = shmem_atomic_compare_swap(&owner, -1L, me, 0); /* the first one finds -1 */

    shmem_atomic_or(&bits, UINT64_C(1) << me, 0);
    uint64_t seen = shmem_atomic_fetch_or(&bits, UINT64_C(0), 0);
    shmem_atomic_xor(&bits, UINT64_C(1) << 63, 0);
    shmem_atomic_fetch_xor(&bits, UINT64_C(1) << 63, 0);
    shmem_atomic_and(&bits, ~UINT64_C(0), 0);
    shmem_atomic_fetch_and(&bits, ~UINT64_C(0), 0);
    shmem_barrier_all();
    printf("PE %ld: ticket %ld, counter was %ld, owner was %ld, bits %#lx\n", me, ticket, before, was,
           (unsigned long)seen);
    if (me == 0) {
        long total = shmem_atomic_fetch(&counter, 0);
        shmem_atomic_set(&counter, 0L, 0);
        printf("counter %ld, last owner %ld\n", total, shmem_atomic_swap(&owner, -1L, 0));
    }
    shmem_finalize();
}
