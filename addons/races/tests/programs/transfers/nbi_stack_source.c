/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a nonblocking put from an array of the stack.
 */
#include <shmem.h>
static long dest[4];
static void send(int pe) {
    long buf[4];
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++)
            buf[i] = k + i; /* race */
        shmem_long_put_nbi(dest, buf, 4, pe); /* race */
#ifndef RACY
        shmem_quiet();
#endif
    }
    shmem_quiet();
}
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) send(1);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
