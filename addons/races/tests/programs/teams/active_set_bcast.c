/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: one dest for every round of a broadcast, read between them.
 */
#include <shmem.h>
static long psync[2][SHMEM_BCAST_SYNC_SIZE], src[4], dst[4];
int main(void) {
    for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++) psync[0][i] = psync[1][i] = SHMEM_SYNC_VALUE;
    shmem_init();
    int me = shmem_my_pe();
    shmem_barrier_all();
    long s = 0;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 4; i++) src[i] = k;
        shmem_broadcast64(dst, src, 4, 0, 0, 0, 3, psync[k % 2]); /* race */
        if (me != 0)
            for (int i = 0; i < 4; i++)
                s += dst[i]; /* race */
#ifndef RACY
        shmem_barrier_all();
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return s == 1;
}
