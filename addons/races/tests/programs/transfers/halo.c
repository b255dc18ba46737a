/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: a halo exchange with buffers by turns.
 */
#include <shmem.h>
enum { N = 32 };
static double u[2][N + 2];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int t = 0; t < 6; t++) {
        double *old = u[t % 2], *new = u[(t + 1) % 2];
        if (me > 0) shmem_double_p(&old[N + 1], old[1], me - 1); /* race */
        if (me < n - 1) shmem_double_p(&old[0], old[N], me + 1); /* race */
        shmem_barrier_all();
        for (int i = 1; i <= N; i++)
            new[i] = 0.5 * (old[i - 1] + old[i + 1]); /* race */
#ifdef RACY
        if (t % 2 == 0) continue;
        u[(t + 1) % 2][0] = 1; /* race */
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
