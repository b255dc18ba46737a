/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: 10000 contexts one after the other, and 5000 at a time. Correct alone.
 */
#include <shmem.h>
static long x[2];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < 10000; i++) {
        shmem_ctx_t c;
        if (shmem_ctx_create(0, &c)) return 2;
        shmem_ctx_long_p(c, &x[me], i, 1 - me);
        shmem_ctx_fence(c);
        shmem_ctx_long_p(c, &x[me], i, 1 - me);
        shmem_ctx_destroy(c);
    }
    static shmem_ctx_t many[5000];
    for (int i = 0; i < 5000; i++) if (shmem_ctx_create(0, &many[i])) return 4;
    for (int i = 0; i < 5000; i++) {
        shmem_ctx_long_p(many[i], &x[me], i, 1 - me);
        shmem_ctx_quiet(many[i]);
    }
    for (int i = 0; i < 5000; i++) shmem_ctx_destroy(many[i]);
    shmem_finalize();
}
