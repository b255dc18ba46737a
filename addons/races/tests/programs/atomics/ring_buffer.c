/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a bounded queue with and without acknowledgements.
 */
#include <shmem.h>
#include <stdint.h>
enum { N = 4 };
static struct { int a, b, c; } q[N];
static long head, tail;
int main(void) {
    shmem_init();
    if (shmem_my_pe() == 0) {
        for (long i = 0; i < 30; i++) {
#ifndef RACY
            shmem_long_wait_until(&tail, SHMEM_CMP_GT, i - N);
#endif
            int v[3] = {1, 2, (int)i};
            shmem_putmem(&q[i % N], v, sizeof v, 1); /* race */
            shmem_fence();
            shmem_long_p(&head, i + 1, 1);
        }
    } else {
        int s = 0;
        for (long i = 0; i < 30; i++) {
            shmem_long_wait_until(&head, SHMEM_CMP_GT, i);
            s += q[i % N].c; /* race */
            shmem_long_p(&tail, i + 1, 0);
            shmem_quiet();
        }
        if (s == 1) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
