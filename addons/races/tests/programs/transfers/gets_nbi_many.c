/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: nonblocking gets end with quiet, not with fence.
 */
#include <shmem.h>
#include <stdlib.h>
static long mine[100];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int i = 0; i < 100; i++) mine[i] = me;
    shmem_barrier_all();
    long *all = malloc(n * 100 * sizeof *all), s = 0;
    for (int pe = 0; pe < n; pe++)
        shmem_long_get_nbi(all + 100 * pe, mine, 100, pe); /* race */
#ifdef RACY
    shmem_fence();
#else
    shmem_quiet();
#endif
    for (int i = 0; i < 100 * n; i++)
        s += all[i]; /* race */
    shmem_barrier_all();
    free(all);
    shmem_finalize();
    return s == 1;
}
