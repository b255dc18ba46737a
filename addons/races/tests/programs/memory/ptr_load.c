/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: loads by way of shmem_ptr of what its PE stores.
 */
#include <shmem.h>
static int x[16];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), s = 0;
    for (int i = 0; i < 16; i++)
        x[i] = i; /* race */
#ifndef RACY
    shmem_barrier_all();
#endif
    const int *there = shmem_ptr(x, 1 - me);
    if (there)
        for (int i = 0; i < 16; i++)
            s += there[i]; /* race */
    shmem_barrier_all();
    x[0] = 3;
    shmem_finalize();
    return s == 1;
}
