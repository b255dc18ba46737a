/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a session and pcontrol order nothing.
 */
#include <shmem.h>
static int data[8]; static int flag;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        int v[8] = {8, 7, 6, 5, 4, 3, 2, 1};
        shmem_ctx_session_start(SHMEM_CTX_DEFAULT, SHMEM_CTX_SESSION_BATCH, NULL, 0);
        shmem_int_put(data, v, 8, 1); /* race */
        shmem_pcontrol(1);
#ifndef RACY
        shmem_fence();
#endif
        shmem_ctx_session_stop(SHMEM_CTX_DEFAULT);
        shmem_int_p(&flag, 1, 1);
    } else {
        while (!shmem_int_test(&flag, SHMEM_CMP_EQ, 1))
            ;
        if (data[7] == 50) return 1; /* race */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
