/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: clear_lock completes the default context, no other.
 */
#include <shmem.h>
static long lock; static int shared[8];
int main(void) {
    shmem_init();
    shmem_ctx_t c;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &c)) return 1;
    for (int i = 0; i < 10; i++) {
        while (shmem_test_lock(&lock))
            ;
        int v[8];
        shmem_int_get(v, shared, 8, 0); /* race */
        v[i % 8] += shmem_my_pe();
        shmem_ctx_int_put(c, shared, v, 8, 0); /* race */
#ifndef RACY
        shmem_ctx_quiet(c);
#endif
        shmem_clear_lock(&lock);
    }
    shmem_ctx_destroy(c);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
