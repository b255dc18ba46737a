/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: an atomic addition, then a put of the same word.
 */
#include <shmem.h>
static long x;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 1) {
        shmem_long_atomic_add(&x, 5, 0); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_long_p(&x, 1, 0); /* race */
    }
    shmem_barrier_all();
    shmem_finalize();
    return x == 9;
}
