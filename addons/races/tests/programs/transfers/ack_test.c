/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: one slot, acknowledged by an atomic set that is awaited by tests.
 */
#include <shmem.h>
static int slot[6], seq, ack;
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), s = 0;
    for (int k = 1; k <= 12; k++) {
        if (me == 0) {
            int v[6] = {k};
#ifndef RACY
            while (!shmem_int_test(&ack, SHMEM_CMP_EQ, k - 1))
                ;
#endif
            shmem_int_put(slot, v, 6, 1); /* race */
            shmem_fence();
            shmem_int_atomic_set(&seq, k, 1);
        } else {
            shmem_int_wait_until(&seq, SHMEM_CMP_GE, k);
            s += slot[0]; /* race */
            shmem_int_atomic_set(&ack, k, 0);
        }
    }
    shmem_barrier_all();
    shmem_finalize();
    return s == 1;
}
