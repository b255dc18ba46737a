/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: atomic increments, then loads.
 */
#include <shmem.h>
static long hist[16];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 16; i++) hist[i] = 0;
    shmem_barrier_all();
    for (int i = 0; i < 100; i++)
        shmem_long_atomic_inc(&hist[(i * 7 + me) % 16], i % n); /* race */
#ifdef RACY
    shmem_sync_all();
#else
    shmem_barrier_all();
#endif
    long s = 0;
    for (int i = 0; i < 16; i++)
        s += hist[i]; /* race */
    shmem_barrier_all();
    shmem_finalize();
    return s == 1;
}
