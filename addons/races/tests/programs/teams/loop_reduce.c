/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: an iteration with puts and sums by turns.
 */
#include <shmem.h>
static double local, global[2]; static double field[34];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int k = 0; k < 10; k++) {
        shmem_double_put(&field[0], &field[32], 1, (me + 1) % n); /* race */
#ifdef RACY
        shmem_fence();
#else
        shmem_quiet();
#endif
        local = k * me;
        shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &global[k % 2], &local, 1);
        field[1] += field[0]; /* race */
        if (global[k % 2] < 0) break;
        shmem_barrier_all();
    }
    shmem_finalize();
    return field[1] == 99;
}
