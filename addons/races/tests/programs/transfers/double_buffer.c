/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: nonblocking gets into two buffers by turns.
 */
#include <shmem.h>
#include <stdlib.h>
static int blocks[10][64];
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    for (int b = 0; b < 10; b++)
        for (int i = 0; i < 64; i++) blocks[b][i] = b;
    shmem_barrier_all();
    int *buf[2] = {malloc(256), malloc(256)};
    long s = 0;
    shmem_int_get_nbi(buf[0], blocks[0], 64, 1 - me); /* race */
    for (int b = 0; b < 10; b++) {
        shmem_quiet();
        if (b + 1 < 10)
#ifdef RACY
            shmem_int_get_nbi(buf[b % 2], blocks[b + 1], 64, 1 - me); /* race */
#else
            shmem_int_get_nbi(buf[(b + 1) % 2], blocks[b + 1], 64, 1 - me);
#endif
        for (int i = 0; i < 64; i++)
            s += buf[b % 2][i]; /* race */
    }
    shmem_barrier_all();
    free(buf[0]);
    free(buf[1]);
    shmem_finalize();
    return s == 1;
}
