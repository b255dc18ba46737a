/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a block that has grown.
 */
#include <shmem.h>
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int *p = shmem_malloc(16 * sizeof *p);
    for (int i = 0; i < 16; i++) p[i] = me;
    shmem_barrier_all();
    p = shmem_realloc(p, 100000 * sizeof *p);
    shmem_int_p(&p[me], 3, 1 - me); /* race */
#ifndef RACY
    shmem_barrier_all();
#endif
    int v = p[1 - me]; /* race */
    shmem_barrier_all();
    p = shmem_realloc(p, 8);
    shmem_free(p);
    shmem_finalize();
    return v == 99;
}
