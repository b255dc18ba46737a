/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a fence of another context.
 */
#include <shmem.h>
static long data[3]; static long flag;
int main(void) {
    shmem_init();
    shmem_ctx_t c;
    if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &c)) return 1;
    if (shmem_my_pe() == 1) {
        long v[3] = {7, 8, 9};
        shmem_ctx_long_put(c, data, v, 3, 0); /* race */
#ifdef RACY
        shmem_fence();
        shmem_long_p(&flag, 1, 0);
#else
        shmem_ctx_fence(c);
        shmem_ctx_long_p(c, &flag, 1, 0);
#endif
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
        if (data[2] == 1) return 3; /* race */
    }
    shmem_ctx_destroy(c);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
