/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: scans in a loop.
 */
#include <shmem.h>
static long in[4], out[2][4];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    long s = 0;
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 4; i++) in[i] = me + i;
#ifdef RACY
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, out[0], in, 4); /* race */
        if (me == 2 && k == 2) shmem_long_p(&out[0][1], 1, 0); /* race */
        s += out[0][1]; /* race */
#else
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, out[k % 2], in, 4);
        s += out[k % 2][1];
#endif
        shmem_barrier_all();
    }
    shmem_finalize();
    return s == 1;
}
