/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a get need not find the PE's own earlier put, with a fence neither.
 */
#include <shmem.h>
static int x[4];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), v[4] = {1, 2, 3, 4}, r[4];
    if (me == 0) {
        shmem_int_put(x, v, 4, 1); /* race */
#ifdef RACY
        shmem_fence();
#else
        shmem_quiet();
#endif
        shmem_int_get(r, x, 4, 1); /* race */
        if (r[0] == 99) return 1;
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
