/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a store, a flag, and another's put over it.
 */
#include <shmem.h>
static int cell[2], go;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 1) {
        cell[0] = 1; /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_int_p(&go, 1, 0);
    } else {
        shmem_int_wait_until(&go, SHMEM_CMP_EQ, 1);
        shmem_int_p(&cell[0], 2, 1); /* race */
    }
    shmem_barrier_all();
    shmem_finalize();
    return cell[0] == 9;
}
