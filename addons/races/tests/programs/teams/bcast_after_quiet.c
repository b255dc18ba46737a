/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 3 PEs: a put, then a broadcast whose result says that it is there.
 */
#include <shmem.h>
static long a[3], s, d;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    long v[3] = {1, 2, 3};
    if (me == 0) {
        shmem_long_put(a, v, 3, 2); /* race */
#ifndef RACY
        shmem_quiet();
#endif
        s = 1;
    }
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &d, &s, 1, 0);
    if (me == 2 && d == 1 && a[2] == 50) return 1; /* race */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
