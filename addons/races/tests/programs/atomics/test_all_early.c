/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: a test that does not hold says nothing.
 */
#include <shmem.h>
#include <stddef.h>
static int value[3]; static int ready[3];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), s = 0;
    if (me != 0) {
        shmem_int_p(&value[me], 3, 0); /* race */
        shmem_quiet();
        shmem_int_p(&ready[me], 1, 0);
    } else {
        int status[3] = {1, 0, 0};
#ifdef RACY
        if (!shmem_int_test_all(ready, n, status, SHMEM_CMP_EQ, 7))
            s += value[1] + value[2]; /* race */
#endif
        while (!shmem_int_test_all(ready, n, status, SHMEM_CMP_EQ, 1))
            ;
        s += value[1] + value[2];
    }
    shmem_barrier_all();
    shmem_finalize();
    return s > 100;
}
