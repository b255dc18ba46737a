/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: C11's generic names.
 */
#include <shmem.h>
static float x[3]; static unsigned long long f;
int main(void) {
    shmem_init();
    shmem_ctx_t c = SHMEM_CTX_DEFAULT;
    if (shmem_my_pe() == 1) {
        const float v[3] = {1, 2, 3};
        shmem_put(x, v, 2, 0); /* race */
        shmem_p(&x[2], 4.0f, 0); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_atomic_inc(c, &f, 0);
    } else {
        shmem_wait_until(&f, SHMEM_CMP_GT, 0);
        float a = x[0]; /* race */
        float b = x[2]; /* race */
        if (a + b == 100) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
