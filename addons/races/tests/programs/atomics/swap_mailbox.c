/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: turns by an atomic counter; what they guard goes with them.
 */
#include <shmem.h>
static int turn; static int box[32];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    int v[32];
    for (int k = 0; k < 6; k++) {
        while (shmem_int_atomic_fetch(&turn, 0) % 2 != me)
            ;
        shmem_int_get(v, box, 32, 0); /* race */
        for (int i = 0; i < 32; i++) v[i]++;
        shmem_int_put(box, v, 32, 0); /* race */
#ifndef RACY
        shmem_quiet();
#endif
        shmem_int_atomic_inc(&turn, 0);
        shmem_quiet(); /* the PE's own fetch finds it */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
