/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: after a reduction the others' sources are free, their dests are not.
 */
#include <shmem.h>
static int a[2], sum[2];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    a[0] = a[1] = me;
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, sum, a, 2); /* race */
    if (me == 0) {
#ifdef RACY
        shmem_int_p(&sum[1], 9, 1); /* race */
#else
        shmem_int_p(&a[1], 9, 1);
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
