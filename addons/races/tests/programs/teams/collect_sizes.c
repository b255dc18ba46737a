/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: a collect of different lengths, and the first element behind its result.
 */
#include <shmem.h>
static int all[64], mine[8], other;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 8; i++) mine[i] = me;
    shmem_int_collect(SHMEM_TEAM_WORLD, all, mine, me + 1); /* race */
    /* 1 + 2 + 3 elements: the seventh is nobody's */
#ifdef RACY
    if (me == 0) shmem_int_p(&all[5], 4, 2); /* race */
#else
    if (me == 0) shmem_int_p(&all[6], 4, 2);
#endif
    other = all[0] + n;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
