/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: atomic increments, polled by a plain load.
 */
#include <shmem.h>
static long counter;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_long_atomic_inc(&counter, 0); /* race */
    if (me == 0) {
#ifdef RACY
        while (*(volatile long *)&counter < 3) /* race */
            ;
#else
        while (shmem_long_atomic_fetch(&counter, 0) < 3)
            ;
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
