/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: a lock of compare_swap and set.
 */
#include <shmem.h>
static int lock; static long x, y;
int main(void) {
    shmem_init();
    for (int k = 0; k < 20; k++) {
        while (shmem_int_atomic_compare_swap(&lock, 0, 1, 0) != 0)
            ;
        long v = shmem_long_g(&x, 0); /* race */
        shmem_long_p(&x, v + 1, 0); /* race */
        y++;
#ifndef RACY
        shmem_quiet();
#endif
        shmem_int_atomic_set(&lock, 0, 0);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
