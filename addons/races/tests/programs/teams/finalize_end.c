/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: the last finalize completes all.
 */
#include <shmem.h>
static int x[8];
int main(void) {
    int v[8] = {1, 2, 3};
    shmem_init();
    int me = shmem_my_pe();
    shmem_int_put_nbi(x, v, 8, 1 - me); /* race */
#ifdef RACY
    int r = x[2]; /* race */
    shmem_finalize();
#else
    shmem_finalize();
    int r = x[2];
#endif
    return r == 77;
}
