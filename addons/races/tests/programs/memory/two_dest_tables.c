/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: strided puts of two PEs between each other.
 */
#include <shmem.h>
static int t[12];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), v[12] = {0};
    if (me == 0) shmem_int_iput(t, v, 2, 1, 6, 2); /* race */
    if (me == 1) shmem_int_iput(t + 1, v, 2, 1, 6, 2);
#ifdef RACY
    if (me == 1) shmem_int_p(&t[4], 3, 2); /* race */
#endif
    shmem_barrier_all();
    if (me == 2) shmem_int_put(t, v, 12, 2);
    shmem_barrier_all();
    shmem_finalize();
    return t[0] == 99;
}
