/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: flags of 16 bits, several in a word.
 */
#include <shmem.h>
static short flags[4]; static int data[4];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), s = 0;
    if (me) {
        shmem_int_p(&data[me], me, 0); /* race */
        shmem_fence();
        shmem_short_p(&flags[me], 1, 0);
    } else {
        shmem_short_wait_until(&flags[1], SHMEM_CMP_EQ, 1);
        s += data[1];
#ifdef RACY
        s += data[2]; /* race */
#endif
        shmem_short_wait_until(&flags[2], SHMEM_CMP_EQ, 1);
        s += data[2];
    }
    shmem_barrier_all();
    shmem_finalize();
    return s == 99;
}
