/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: the put of a context may arrive in the next block.
 */
#include <shmem.h>
int main(void) {
    shmem_init();
    shmem_ctx_t c;
    if (shmem_ctx_create(0, &c)) return 1;
    long *p = shmem_malloc(64);
    long v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    if (shmem_my_pe() == 0)
        shmem_ctx_long_put(c, p, v, 8, 1); /* race */
#ifndef RACY
    shmem_ctx_quiet(c);
#endif
    shmem_free(p); /* race */
    long *q = shmem_malloc(64); /* race */
    for (int i = 0; i < 8; i++)
        q[i] = 5; /* race */
    shmem_ctx_destroy(c);
    shmem_barrier_all();
    shmem_free(q);
    shmem_finalize();
    return 0;
}
