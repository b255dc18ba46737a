/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: barrier_all does not complete puts of other contexts.
 */
#include <shmem.h>
static int cell;
int main(void) {
    shmem_init();
    shmem_ctx_t c;
    if (shmem_ctx_create(0, &c)) return 1;
    shmem_ctx_int_p(c, &cell, 3, 1 - shmem_my_pe()); /* race */
#ifndef RACY
    shmem_ctx_quiet(c);
#endif
    shmem_barrier_all();
    int v = cell; /* race */
    shmem_barrier_all();
    shmem_ctx_destroy(c);
    shmem_finalize();
    return v == 4;
}
