/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a request is put, and the answer comes into it.
 */
#include <shmem.h>
static int req[8], flag;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        for (int k = 1; k <= 4; k++) {
            for (int i = 0; i < 8; i++)
                req[i] = k + i; /* race */
            shmem_int_put(req, req, 8, 1);
            shmem_fence();
            shmem_int_p(&flag, 2 * k - 1, 1);
#ifdef RACY
            req[5] = 9; /* race */
#endif
            shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 2 * k);
        }
    } else {
        for (int k = 1; k <= 4; k++) {
            shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 2 * k - 1);
            for (int i = 0; i < 8; i++) req[i] *= 2;
            shmem_int_put(req, req, 8, 0); /* race */
            shmem_fence();
            shmem_int_p(&flag, 2 * k, 0);
        }
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
