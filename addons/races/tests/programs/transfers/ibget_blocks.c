/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a blocked strided get.
 */
#include <shmem.h>
#include <stddef.h>
static float a[24], b[24];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (int i = 0; i < 24; i++)
        a[i] = i; /* race */
#ifndef RACY
    shmem_barrier_all();
#endif
    if (me == 1)
        shmem_float_ibget(b, a, 3, 6, 3, 4, 0); /* race */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
