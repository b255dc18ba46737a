/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: reductions in a loop, and in place.
 */
#include <shmem.h>
static double v[10], r[2][10];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    double s = 0;
    for (int k = 0; k < 6; k++) {
        for (int i = 0; i < 10; i++)
            v[i] = me + k; /* race */
#ifdef RACY
        if (me == 0 && k == 3) shmem_double_p(&v[2], 1.0, 1); /* race */
#endif
        shmem_double_max_reduce(SHMEM_TEAM_WORLD, r[k % 2], v, 10); /* race */
        for (int i = 0; i < 10; i++) s += r[k % 2][i];
    }
    shmem_barrier_all();
    for (int i = 0; i < 10; i++) v[i] = 1;
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, v, v, 10);
    s += v[0];
    shmem_barrier_all();
    shmem_finalize();
    return s == 1;
}
