/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a put, a fence, a flag.
 */
#include <shmem.h>
#include <stdio.h>
static double data[100]; static long flag;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    double mine[100];
    for (int i = 0; i < 100; i++) mine[i] = i;
    if (me == 0) {
        shmem_double_put(data, mine, 100, 1); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_long_p(&flag, 1, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        double sum = 0;
        for (int i = 0; i < 100; i++) sum += data[i]; /* race */
        if (sum < 0) printf("%f\n", sum);
    }
    shmem_finalize();
}
