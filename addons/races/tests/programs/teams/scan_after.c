/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: an exclusive scan says nothing of who comes behind.
 */
#include <shmem.h>
static long in[2], out[2];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    in[0] = in[1] = me + 1;
    shmem_barrier_all();
    shmem_long_sum_exscan(SHMEM_TEAM_WORLD, out, in, 2); /* race */
#ifndef RACY
    shmem_sync_all();
#endif
    if (me == 0)
        shmem_long_p(&in[0], 100, 1); /* race */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
