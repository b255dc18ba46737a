/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: wait_until_some.
 */
#include <shmem.h>
#include <stddef.h>
#include <stdint.h>
static double box[3][20]; static uint64_t flags[3];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (me == 0) {
        size_t idx[3]; int mask[3] = {1, 0, 0}; int left = n - 1; double s = 0;
        while (left > 0) {
            size_t got = shmem_uint64_wait_until_some(flags, n, idx, mask, SHMEM_CMP_GT, 0);
            for (size_t i = 0; i < got; i++) {
                for (int j = 0; j < 20; j++)
                    s += box[idx[i]][j]; /* race */
                mask[idx[i]] = 1;
                left--;
            }
        }
        if (s == -1) return 1;
    } else {
        double v[20] = {0};
        v[3] = me;
        shmem_double_put(box[me], v, 20, 0); /* race */
#ifndef RACY
        shmem_quiet();
#endif
        shmem_uint64_atomic_set(&flags[me], 1, 0);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
