/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 4 PEs: stores by way of shmem_team_ptr.
 */
#include <shmem.h>
static long v[8]; static int go;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
    shmem_team_t odd;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 1, 2, 2, NULL, 0, &odd);
    if (me == 1) {
        long *there = shmem_team_ptr(odd, v, 1);
        if (there) {
            for (int i = 0; i < 8; i++)
                there[i] = i; /* race */
#ifndef RACY
            shmem_quiet();
#endif
            shmem_int_atomic_inc(&go, 3);
        }
    } else if (me == 3) {
        shmem_int_wait_until(&go, SHMEM_CMP_EQ, 1);
        long s = 0;
        for (int i = 0; i < 8; i++)
            s += v[i]; /* race */
        if (s == 99) return 1;
    }
    shmem_barrier_all();
    if (odd != SHMEM_TEAM_INVALID) shmem_team_destroy(odd);
    shmem_finalize();
    return 0;
}
