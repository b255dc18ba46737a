/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: a matrix by columns; sync_all completes no put.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int *m = shmem_malloc(n * 8 * sizeof *m);
    int row[8];
    for (int i = 0; i < 8; i++) row[i] = me * 10 + i;
    for (int pe = 0; pe < n; pe++)
        shmem_int_iput(m + me, row, n, 1, 8, pe); /* race */
#ifdef RACY
    shmem_sync_all();
#else
    shmem_barrier_all();
#endif
    int bad = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < n; j++)
            bad += m[i * n + j] != j * 10 + i; /* race */
    if (bad) printf("bad %d\n", bad);
    shmem_barrier_all();
    shmem_free(m);
    shmem_finalize();
}
