/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a signal polled by a plain load.
 */
#include <shmem.h>
#include <stdint.h>
static uint64_t sig; static long d;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        shmem_long_p(&d, 5, 1);
        shmem_fence();
        shmem_signal_add(&sig, 1, 1); /* race */
    } else {
#ifdef RACY
        while (*(volatile uint64_t *)&sig == 0) /* race */
            ;
#else
        while (shmem_signal_fetch(&sig) == 0)
            ;
        if (d == 100) return 1;
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
