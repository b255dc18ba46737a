/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: a barrier of the even PEs says nothing of an odd one's put.
 */
#include <shmem.h>
static long psync[SHMEM_BARRIER_SYNC_SIZE]; static int x[2];
int main(void) {
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) psync[i] = SHMEM_SYNC_VALUE;
    shmem_init();
    int me = shmem_my_pe();
    shmem_barrier_all();
    if (me == 0) {
        shmem_int_p(&x[0], 1, 2); /* race */
    }
    if (me == 1) shmem_int_p(&x[1], 1, 2); /* race */
    if (me % 2 == 0) shmem_barrier(0, 1, 2, psync);
    if (me == 2) {
        int v = x[0];
#ifdef RACY
        v += x[1]; /* race */
#endif
        if (v == 9) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
