/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: pe_quiet of another PE.
 */
#include <shmem.h>
static int d[2], flag;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        shmem_int_p(&d[0], 3, 1); /* race */
#ifdef RACY
        int who = 2;
#else
        int who = 1;
#endif
        shmem_pe_quiet(&who, 1);
        shmem_int_p(&flag, 1, 2);
    } else if (me == 2) {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        int v = shmem_int_g(&d[0], 1); /* race */
        if (v == 66) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
