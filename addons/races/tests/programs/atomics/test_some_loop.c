/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: test_some until all are there.
 */
#include <shmem.h>
#include <stddef.h>
static int flags[8]; static float val[8];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(); float s = 0;
    if (me == 0) {
        int left = 2 * (n - 1), status[8] = {0};
        while (left) {
            size_t idx[8], k = shmem_int_test_some(flags, 8, idx, status, SHMEM_CMP_EQ, 1);
            for (size_t i = 0; i < k; i++) {
                status[idx[i]] = 1;
                s += val[idx[i]]; /* race */
                left--;
            }
        }
    } else
        for (int j = 0; j < 2; j++) {
            int at = 2 * (me - 1) + j;
            shmem_float_p(&val[at], at, 0); /* race */
#ifdef RACY
            if (j == 0)
#endif
            shmem_fence();
            shmem_int_p(&flags[at], 1, 0);
        }
    shmem_barrier_all();
    shmem_finalize();
    return s == 99;
}
