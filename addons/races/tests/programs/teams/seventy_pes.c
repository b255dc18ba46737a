/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 70 PEs: more PEs than a word has bits.
 */
#include <shmem.h>
static long x, sum, flag;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_long_p(&x, me, (me + 1) % n); /* race */
#ifdef RACY
    shmem_sync_all();
#else
    shmem_barrier_all();
#endif
    long v = x; /* race */
    shmem_barrier_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &x, 1);
    shmem_barrier_all();
    shmem_long_atomic_add(&flag, v, 0);
    shmem_barrier_all();
    shmem_finalize();
    return sum == 1;
}
