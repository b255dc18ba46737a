/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: wait_until_any, and the boxes of those who have not come.
 */
#include <shmem.h>
#include <stddef.h>
static long box[4]; static int flags[4];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (me == 0) {
        long sum = 0;
        int mask[4] = {1, 0, 0, 0};
        for (int k = 1; k < n; k++) {
            size_t who = shmem_int_wait_until_any(flags, n, mask, SHMEM_CMP_NE, 0);
            mask[who] = 1;
#ifdef RACY
            for (int i = 1; i < n; i++)
                sum += box[i]; /* race */
#else
            sum += box[who];
#endif
        }
        if (sum == 12345) return 1;
    } else {
        shmem_long_p(&box[me], me, 0); /* race */
        shmem_fence();
        shmem_int_p(&flags[me], 1, 0);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
