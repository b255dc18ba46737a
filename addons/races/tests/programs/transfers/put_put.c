/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: two puts of one PE to one place.
 */
#include <shmem.h>
static long x;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_long_p(&x, 1, 1); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_long_p(&x, 2, 1); /* race */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
