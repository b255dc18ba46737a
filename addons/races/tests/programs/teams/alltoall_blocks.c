/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: a put into dest after an all-to-all, which another member may still be in.
 */
#include <shmem.h>
#include <stdlib.h>
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long *src = shmem_malloc(n * 4 * sizeof *src), *dst = shmem_malloc(n * 4 * sizeof *dst);
    for (int i = 0; i < n * 4; i++) src[i] = me * 100 + i;
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dst, src, 4);
    long s = 0;
    for (int i = 0; i < n * 4; i++)
        s += dst[i];
    shmem_sync_all();
    shmem_long_alltoall(SHMEM_TEAM_WORLD, dst, src, 4); /* race */
#ifdef RACY
    src[0] = 1;
    if (me == 0) shmem_long_p(&dst[1], 1, 1); /* race */
#endif
    shmem_barrier_all();
    shmem_free(src);
    shmem_free(dst);
    shmem_finalize();
    return s == 1;
}
