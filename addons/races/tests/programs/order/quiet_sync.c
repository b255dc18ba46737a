/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: nonblocking puts, quiet, sync_all.
 */
#include <shmem.h>
static double part[3][40];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    double v[40];
    for (int i = 0; i < 40; i++) v[i] = me + i;
    double s = 0;
    for (int k = 0; k < 3; k++) {
        for (int pe = 0; pe < n; pe++)
            shmem_double_put_nbi(part[me], v, 40, pe); /* race */
#ifndef RACY
        shmem_quiet();
#endif
        shmem_sync_all();
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 40; j++)
                s += part[i][j]; /* race */
        shmem_barrier_all();
    }
    shmem_finalize();
    return s == 1;
}
