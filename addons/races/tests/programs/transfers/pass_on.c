/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: A puts to C and tells B, B tells C: a fence is not enough.
 */
#include <shmem.h>
static long x[2], toB, toC;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        long v[2] = {1, 2};
        shmem_putmem(x, v, sizeof v, 2); /* race */
#ifdef RACY
        shmem_fence();
#else
        shmem_quiet();
#endif
        shmem_long_p(&toB, 1, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&toB, SHMEM_CMP_EQ, 1);
        shmem_long_p(&toC, 1, 2);
    } else {
        shmem_long_wait_until(&toC, SHMEM_CMP_EQ, 1);
        if (x[1] == 100) return 1; /* race */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
