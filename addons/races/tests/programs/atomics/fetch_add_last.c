/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: the last to arrive sums what all have put.
 */
#include <shmem.h>
static double part[4]; static int arrived; static double total;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_double_p(&part[me], me * 1.5, 0); /* race */
#ifdef RACY
    if (me % 2) shmem_quiet(); else shmem_fence();
    shmem_fence();
    if (shmem_int_atomic_fetch_inc(&arrived, 1) == n - 1) {
#else
    shmem_quiet();
    if (shmem_int_atomic_fetch_inc(&arrived, 1) == n - 1) {
#endif
        double v[4];
        shmem_double_get(v, part, 4, 0); /* race */
        total = v[0] + v[1] + v[2] + v[3];
    }
    shmem_barrier_all();
    shmem_finalize();
    return total == 1;
}
