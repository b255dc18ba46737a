/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: a fence orders towards one PE; the flag goes by way of another.
 */
#include <shmem.h>
static int d, f;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0) {
        shmem_int_p(&d, 4, 1); /* race */
#ifdef RACY
        shmem_fence();
#else
        int one = 1;
        shmem_pe_quiet(&one, 1);
#endif
        shmem_int_p(&f, 1, 2);
    } else if (me == 2) {
        shmem_int_wait_until(&f, SHMEM_CMP_EQ, 1);
        shmem_int_p(&f, 1, 1);
    } else {
        shmem_int_wait_until(&f, SHMEM_CMP_EQ, 1);
        if (d == 5) return 1; /* race */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
