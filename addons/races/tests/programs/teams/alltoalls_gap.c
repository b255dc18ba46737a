/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a put into the gaps of a strided all-to-all's dest.
 */
#include <shmem.h>
static int src[16], dst[16];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < 16; i++) src[i] = i * me;
    shmem_barrier_all();
    if (me == 0) {
#ifdef RACY
        shmem_int_p(&dst[4], 1, 1); /* race */
#else
        shmem_int_p(&dst[5], 1, 1);
#endif
    }
    shmem_int_alltoalls(SHMEM_TEAM_WORLD, dst, src, 2, 1, 4); /* race */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
