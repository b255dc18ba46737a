/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: stores under a lock, got under it. Correct alone.
 */
#include <shmem.h>
static long lock; static int a[4];
int main(void) {
    shmem_init();
    int me = shmem_my_pe(), v[4], s = 0;
    for (int k = 0; k < 4; k++) {
        shmem_set_lock(&lock);
        if (me == 0)
            for (int i = 0; i < 4; i++)
                a[i]++; /* race */
        else {
            shmem_int_get(v, a, 4, 0); /* race */
            s += v[2];
        }
        shmem_clear_lock(&lock);
#ifdef RACY
        if (me == 0) a[1] = 0; /* race */
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return s == 99;
}
