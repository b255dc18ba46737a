/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: fcollect in a loop: sources are free after it, dests are not.
 */
#include <shmem.h>
static int mine[2], all[2][6];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int s = 0;
    for (int k = 0; k < 8; k++) {
        mine[0] = k; mine[1] = me;
#ifdef RACY
        shmem_int_fcollect(SHMEM_TEAM_WORLD, all[0], mine, 2); /* race */
        for (int i = 0; i < 6; i++)
            s += all[0][i]; /* race */
#else
        shmem_int_fcollect(SHMEM_TEAM_WORLD, all[k % 2], mine, 2);
        for (int i = 0; i < 6; i++)
            s += all[k % 2][i];
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return s == 1;
}
