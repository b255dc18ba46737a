/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: wait_until_all_vector, a value for each.
 */
#include <shmem.h>
#include <stddef.h>
static int data[3]; static long want[3];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++) {
        shmem_int_p(&data[me], me + 1, pe); /* race */
#ifndef RACY
        shmem_fence();
#endif
        shmem_long_p(&want[me], me + 10, pe);
    }
    long values[3] = {10, 11, 12};
    shmem_long_wait_until_all_vector(want, n, NULL, SHMEM_CMP_EQ, values);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += data[i]; /* race */
    shmem_barrier_all();
    shmem_finalize();
    return s == 77;
}
