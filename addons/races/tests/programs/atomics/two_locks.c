/* SPDX-License-Identifier: BSD-3-Clause
 *
 * 2 PEs: a lock of each PE's own is none.
 */
#include <shmem.h>
static long lock[2], total;
int main(void) {
    shmem_init();
    int me = shmem_my_pe();
#ifdef RACY
    long *l = &lock[me];
#else
    long *l = &lock[0];
#endif
    for (int i = 0; i < 5; i++) {
        shmem_set_lock(l);
        long t;
        shmem_long_get(&t, &total, 1, 1); /* race */
        t += i;
        shmem_long_put(&total, &t, 1, 1); /* race */
        shmem_clear_lock(l);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
